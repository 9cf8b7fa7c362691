"""Render a chat template in a separate process, within bounds of time and memory.

Reads a request in JSON from standard input, and writes the text. A template is a program that came
with a file: Jinja's sandbox keeps it from the machine, and the process can be ended whatever it
does. Its status is 3 without Jinja, 1 for a template that fails and 4 for one that refuses the
messages, with the reason on standard error; 5 if the memory is not enough.
"""

from __future__ import annotations

import json
import sys
from datetime import datetime
from typing import Any, NoReturn

NO_LIBRARY, FAILED, REFUSED, NO_MEMORY = 3, 1, 4, 5
_BYTES = 1 << 30


class RefusedError(Exception):
    """What a template says of messages that it does not allow."""


def bound(seconds: int) -> None:
    """Limit the processor time and the memory of this process, where the system can."""
    try:
        import resource
    except ImportError:  # the caller ends it after a while
        return
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (_BYTES, _BYTES))


def rendered(request: dict[str, Any]) -> list[str]:
    """Render a template once for each list of messages in a request, as transformers does."""
    from jinja2 import nodes
    from jinja2.ext import Extension
    from jinja2.parser import Parser
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Generation(Extension):
        """Read `{% generation %}`, which marks what a model writes, as what is within it."""

        tags = {"generation"}  # noqa: RUF012

        def parse(self, parser: Parser) -> nodes.Node:
            line = next(parser.stream).lineno
            body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
            return nodes.Scope(body).set_lineno(line)

    def fail(message: str) -> NoReturn:
        raise RefusedError(message)

    def to_json(value: Any, ensure_ascii: bool = False, **options: Any) -> str:
        return json.dumps(value, ensure_ascii=ensure_ascii, **options)

    def now(form: str) -> str:
        return datetime(2024, 1, 1).strftime(form)

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, "jinja2.ext.loopcontrols"]
    )
    environment.filters["tojson"] = to_json
    environment.globals.update(raise_exception=fail, strftime_now=now)
    template = environment.from_string(request["template"])
    # Templates ask whether tools are none: without a value they would be something else.
    variables = {"tools": None, "documents": None, **request["variables"]}
    return [
        template.render(messages=messages, add_generation_prompt=False, **variables)
        for messages in request["conversations"]
    ]


def main() -> int:
    """Answer the request on standard input."""
    request = json.load(sys.stdin)
    bound(request["seconds"])
    try:
        found = rendered(request)
    except ImportError:
        return NO_LIBRARY
    except RefusedError as error:
        sys.stderr.write(str(error)[:300])
        return REFUSED
    except MemoryError:
        return NO_MEMORY
    except Exception as error:  # whatever a template does
        sys.stderr.write(f"{type(error).__name__}: {error}"[:300])
        return FAILED
    sys.stdout.write(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
