#!/usr/bin/env bash
# A hook in bash and jq, as people write it by hand: the state script of the great-loop statusline. It knows six events
# and keeps a list of agents, but no journal, status, counters or order. Only its folder was changed.
set -euo pipefail

INPUT="$(cat)"
SESSION_ID="$(echo "$INPUT" | jq -r '.session_id // empty')"
EVENT="$(echo "$INPUT" | jq -r '.hook_event_name // empty')"
if [[ -z "$SESSION_ID" || -z "$EVENT" ]]; then
  exit 0
fi
if [[ ! "$SESSION_ID" =~ ^[a-zA-Z0-9_-]+$ ]]; then
  exit 0
fi

STATE_DIR="${RIVAL_STATE:?}/${SESSION_ID}"
STATE_FILE="${STATE_DIR}/state.json"
if [[ "$EVENT" == "SessionEnd" ]]; then
  rm -rf "$STATE_DIR"
  exit 0
fi
mkdir -p "$STATE_DIR"
NOW="$(date +%s)"
if [[ ! -f "$STATE_FILE" ]]; then
  echo "{\"loop_id\":\"${SESSION_ID}\",\"started_at\":${NOW},\"agents\":[]}" > "$STATE_FILE"
fi

case "$EVENT" in
  SubagentStart)
    AGENT_KEY="$(echo "$INPUT" | jq -r '.agent_id // empty')"
    NEW_STATUS="running"
    ;;
  SubagentStop)
    AGENT_KEY="$(echo "$INPUT" | jq -r '.agent_id // empty')"
    NEW_STATUS="done"
    ;;
  TeammateIdle)
    AGENT_KEY="$(echo "$INPUT" | jq -r '.teammate_name // empty')"
    NEW_STATUS="idle"
    ;;
  TaskCompleted)
    AGENT_KEY="$(echo "$INPUT" | jq -r '.teammate_name // .task_id // empty')"
    NEW_STATUS="done"
    ;;
  Stop)
    AGENT_KEY="main"
    NEW_STATUS="done"
    ;;
  *)
    exit 0
    ;;
esac
if [[ -z "$AGENT_KEY" ]]; then
  exit 0
fi

TMPFILE="${STATE_DIR}/state.json.tmp.$$"
if command -v flock >/dev/null 2>&1; then
  exec 9>"${STATE_DIR}/.lock"
  flock -w 5 9 || true
fi
jq --arg key "$AGENT_KEY" \
   --arg status "$NEW_STATUS" \
   --argjson now "$NOW" \
   '
   (.agents | map(.name) | index($key)) as $idx |
   if $idx != null then
     .agents[$idx].status = $status |
     .agents[$idx].updated_at = $now
   else
     .agents += [{
       "id": ((.agents | map(.id) | max // 0) + 1),
       "name": $key,
       "status": $status,
       "updated_at": $now
     }]
   end
   ' "$STATE_FILE" > "$TMPFILE" && mv "$TMPFILE" "$STATE_FILE"
exit 0
