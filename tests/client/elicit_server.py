"""Run an MCP server on stdio with one tool, `ask`, which opens an elicitation form and returns the answer."""

import json
import sys
from typing import Any

FORM = {"type": "object", "properties": {"name": {"type": "string", "title": "Name"}}, "required": ["name"]}
TOOL = {"name": "ask", "description": "Asks the person.", "inputSchema": {"type": "object", "properties": {}}}


def send(**message: Any) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def main() -> None:
    waiting: Any = None
    for line in sys.stdin:
        message = json.loads(line)
        method, number = message.get("method"), message.get("id")
        if method == "initialize":
            version = message["params"]["protocolVersion"]
            info = {"name": "elic", "version": "1"}
            send(id=number, result={"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info})
        elif method == "tools/list":
            send(id=number, result={"tools": [TOOL]})
        elif method == "tools/call":
            waiting = number
            params = {"message": "What is your name?", "requestedSchema": FORM}
            send(id="form", method="elicitation/create", params=params)
        elif number == "form":
            text = json.dumps({"action": message.get("result", {}).get("action", "error")})
            send(id=waiting, result={"content": [{"type": "text", "text": text}]})
        elif number is not None:
            send(id=number, result={})


if __name__ == "__main__":
    main()
