"""Answer what sessions ask, from outside of their terminals.

`docs/answers.md` says who could misuse that, and what stops them.
"""
