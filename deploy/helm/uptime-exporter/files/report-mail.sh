#!/bin/sh
# Writes the report of the last month as a mail into a file:
#
#     report-mail.sh FILE [flags of `uptime-exporter report`]
#
# REPORT_FROM and REPORT_TO are the addresses; UPTIME_EXPORTER is the command, if it is not in the PATH.
# A report that lacks an account, or was not complete in time, is a mail as well.
set -eu
mail=$1
shift
status=0
${UPTIME_EXPORTER:-uptime-exporter} report --format=html "$@" > "$mail.html" || status=$?
case $status in
  0 | 2 | 3) ;;
  *) exit "$status" ;;
esac
{
  printf 'From: %s\nTo: %s\n' "$REPORT_FROM" "$REPORT_TO"
  printf 'Subject: %s\n' "$(sed -n 's:^<title>\(.*\)</title>$:\1:p' "$mail.html")"
  printf 'Date: %s\n' "$(LC_ALL=C date '+%a, %d %b %Y %H:%M:%S %z')"
  printf 'MIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n'
  cat "$mail.html"
} > "$mail"
