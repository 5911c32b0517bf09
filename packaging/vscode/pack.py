"""Pack the extension for VS Code into dist/, the same bytes each time."""

import json
import sys
import zipfile
from pathlib import Path
from xml.sax.saxutils import quoteattr

HERE = Path(__file__).parent
FILES = ("package.json", "extension.js", "README.md")
TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension=".json" ContentType="application/json"/>
<Default Extension=".js" ContentType="application/javascript"/>
<Default Extension=".md" ContentType="text/markdown"/>
<Default Extension=".vsixmanifest" ContentType="text/xml"/>
</Types>
"""
MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata>
<Identity Language="en-US" Id={name} Version={version} Publisher={publisher}/>
<DisplayName>{title}</DisplayName><Description>{description}</Description>
<Properties><Property Id="Microsoft.VisualStudio.Code.Engine" Value={engine}/></Properties>
</Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
<Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/></Assets>
</PackageManifest>
"""


def pack(folder: Path) -> Path:
    """Write the extension into FOLDER and return its path."""
    about = json.loads((HERE / "package.json").read_text())
    manifest = MANIFEST.format(
        name=quoteattr(about["name"]),
        version=quoteattr(about["version"]),
        publisher=quoteattr(about["publisher"]),
        title=about["displayName"],
        description=about["description"],
        engine=quoteattr(about["engines"]["vscode"]),
    )
    parts = {"[Content_Types].xml": TYPES, "extension.vsixmanifest": manifest}
    parts |= {f"extension/{name}": (HERE / name).read_text() for name in FILES}
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{about['name']}-{about['version']}.vsix"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), text)
    return path


if __name__ == "__main__":
    sys.stdout.write(f"{pack(Path('dist'))}\n")
