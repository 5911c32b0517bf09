"""Ask Windows how it wants the icon: with full contrast, and how large the taskbar shows it.

USER32 is `ctypes.windll.user32`.
"""

import ctypes
from typing import Any

SIZES = (16, 20, 24, 32, 40, 48, 64)
"""Pixels of an icon in the taskbar's tray at 100 to 400 per cent:
https://learn.microsoft.com/windows/apps/design/style/iconography/app-icon-construction
"""
SMALL_ICON = 49
"""SM_CXSMICON. The documentation of LoadIconMetric uses this size for the tray."""
GET_HIGH_CONTRAST, IS_ON = 0x0042, 0x0001
"""SPI_GETHIGHCONTRAST, HCF_HIGHCONTRASTON."""


class HighContrast(ctypes.Structure):
    """https://learn.microsoft.com/windows/win32/api/winuser/ns-winuser-highcontrastw"""

    _fields_ = (("size", ctypes.c_uint32), ("flags", ctypes.c_uint32), ("scheme", ctypes.c_wchar_p))


def full_contrast(user32: Any) -> bool:
    """Return whether the person has switched on a contrast theme."""
    asked = HighContrast(ctypes.sizeof(HighContrast))
    answered = user32.SystemParametersInfoW(GET_HIGH_CONTRAST, ctypes.sizeof(asked), ctypes.byref(asked), 0)
    return bool(answered) and bool(asked.flags & IS_ON)


def icon_size(user32: Any) -> int:
    return user32.GetSystemMetrics(SMALL_ICON) or SIZES[0]
