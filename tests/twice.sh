#!/bin/sh
# Run pytest, and run the tests that fail once more, one after the other, which counts: two cores that are busy with real
# clients and desktops can make a test late that waits for one of them.
# Usage: tests/twice.sh NAME PYTEST [ARGUMENT...]; NAME is that of the list of failures below build/.
set -u
failures="cache_dir=build/failures-$1"
shift
"$@" -o "$failures" --cache-clear &
first=$!
trap 'kill "$first"' INT TERM
wait "$first"
code=$?
[ "$code" = 1 ] || exit "$code"
echo "The tests that failed are run once more, alone."
exec "$@" -o "$failures" --last-failed --last-failed-no-failures none -n 0 --cov-append
