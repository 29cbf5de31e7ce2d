/**
 * A script for sh that starts processes that are hard to end, writes the id of each of its four processes to the file
 * `pids`, prints "ready" and keeps running.
 */
export const STUBBORN = `
  # Before anybody counts its lines: a complaint of a missing file would be output too.
  : > pids
  (trap '' TERM; echo $(exec sh -c 'echo $PPID') >> pids; while :; do sleep 100; done) &
  setsid sh -c 'echo $$ >> pids; exec sleep 100' &
  # Its parent is gone, it has a session of its own, and holds nothing of ours.
  (setsid sh -c '(echo $(exec sh -c "echo \\$PPID") >> pids; exec sleep 100) </dev/null >/dev/null 2>&1 &')
  sh -c 'echo $$ >> pids; kill -STOP $$; sleep 100' &
  until [ $(wc -l < pids) -eq 4 ]; do sleep 0.02; done
  echo ready
  wait
`;
