"""Check on the real client each fact that Deskbell's rules rest on. `make contract` prints them as a table.

`scenes` says what is played, `watched` plays it and keeps what the client did, `seen` reads that, `facts` is the table,
and `judge` compares. Only `watched` and `__main__` have effects.
"""
