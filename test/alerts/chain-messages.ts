/**
 * What each script of chain-scripts.ts leads to: the minutes since its first event, the receiver, and
 * the changes as in chain-news.ts. docs/alerting.md shows some of them.
 */
export const expectedMessages: { readonly [script: string]: readonly string[] } = {
  'One check goes down and comes back after 25 minutes': [
    '2 pager: +CheckDown',
    '27 pager: -CheckDown',
  ],
  'Twelve checks of 40 go down at once and come back at once': [
    '2 pager: +CheckDown ×12 +ManyChecksDown',
    '27 pager: -CheckDown ×12',
    '32 pager: -ManyChecksDown ~CheckDown ×12',
  ],
  'One check of low importance goes down for 25 minutes': [
    '2 chat: +CheckDown',
    '27 chat: -CheckDown',
  ],
  'A transaction fails for 25 minutes': [
    '5 pager: +TransactionFailing',
    '30 pager: -TransactionFailing',
  ],
  'A check goes down for 5 minutes every 10 minutes, six times': [
    '2 pager: +CheckDown',
    '7 pager: -CheckDown',
    '12 pager: +CheckDown',
    '17 pager: -CheckDown',
    '22 pager: +CheckDown',
    '87 pager: -CheckDown',
  ],
  'One check of a group of two goes down and comes back after 25 minutes': [
    '2 pager: +CheckDown',
    '27 pager: -CheckDown',
  ],
  'One check of a group of two goes down for 3 minutes': [
    '2 pager: +CheckDown',
    '7 pager: -CheckDown',
  ],
  'Ten checks go down one after another within 10 minutes, and come back likewise': [
    '2 pager: +CheckDown',
    '7 pager: +CheckDown ×5',
    '12 pager: +CheckDown ×4 +ManyChecksDown',
    '27 pager: -CheckDown ×2',
    '32 pager: -CheckDown ×5 ~CheckDown',
    '37 pager: -CheckDown ×3 -ManyChecksDown ~CheckDown ×6',
  ],
  'A check is down, the token is revoked; it is down throughout': [
    '2 pager: +CheckDown',
    '10 pager: +ExporterAccountUnreadable',
    '32 pager: -CheckDown',
    '35 pager: -ExporterAccountUnreadable',
  ],
  'A check is down, the token is revoked; it recovers meanwhile': [
    '2 pager: +CheckDown',
    '10 pager: +ExporterAccountUnreadable',
    '27 pager: -CheckDown',
    '35 pager: -ExporterAccountUnreadable',
  ],
  'A check is down, the exporter is killed; it is down throughout': [
    '2 pager: +CheckDown',
    '10 pager: +ExporterDown',
    '25 pager: -ExporterDown',
    '32 pager: -CheckDown',
  ],
  'A check is down, the exporter is killed; it recovers meanwhile': [
    '2 pager: +CheckDown',
    '10 pager: +ExporterDown',
    '25 pager: -ExporterDown',
    '27 pager: -CheckDown',
  ],
  'A check goes down and comes back while the exporter is killed': [
    '5 pager: +ExporterDown',
    '35 pager: -ExporterDown',
    '40 tickets: +CheckWasDown',
  ],
  'Nothing is down and the exporter is restarted': [],
  'A check is down, the store is lost, and the service does not answer for 15 minutes': [
    '2 pager: +CheckDown',
    '20 pager: +ExporterAccountUnreadable',
    '32 pager: -CheckDown',
    '35 pager: -ExporterAccountUnreadable',
  ],
  'A check is down, and the store is lost': ['2 pager: +CheckDown', '27 pager: -CheckDown'],
  'A check is down, and the store is lost while its status is unknown': [
    '2 pager: +CheckDown',
    '27 pager: -CheckDown',
  ],
  'An error budget is nearly used, and the store is lost while reports are refused': [
    '2 pager: +CheckDown',
    '42 pager: -CheckDown',
    '48 tickets: +CheckErrorBudgetBurn',
  ],
  'A check is down and the pod of the exporter is replaced': [
    '2 pager: +CheckDown',
    '32 pager: -CheckDown',
  ],
  'Two accounts of one exporter have a check down, and the token of one is revoked': [
    '2 pager: +CheckDown',
    '2 pager: +CheckDown',
    '10 pager: +ExporterAccountUnreadable',
    '30 pager: -ExporterAccountUnreadable',
    '32 pager: -CheckDown',
    '32 pager: -CheckDown',
  ],
  'Two exporters of one job have a check down each, and one of them is killed': [
    '2 pager: +CheckDown',
    '2 pager: +CheckDown',
    '10 pager: +ExporterDown',
    '15 pager: -ExporterDown',
    '32 pager: -CheckDown',
    '32 pager: -CheckDown',
  ],
  'Maintenance is made 1 min before it begins, and the check goes down in it': [],
  'Maintenance is made 5 min before it begins, and the check goes down in it': [],
  'Maintenance is made 12 min before it begins, and the check goes down in it': [],
  'A check is down, another client spends the requests; it is down throughout': [
    '2 pager: +CheckDown',
    '17 pager: +ExporterAccountUnreadable',
    '27 pager: -ExporterAccountUnreadable',
    '32 pager: -CheckDown',
  ],
  'A check is down, another client spends the requests; it recovers meanwhile': [
    '2 pager: +CheckDown',
    '17 pager: +ExporterAccountUnreadable',
    '22 pager: -CheckDown',
    '27 pager: -ExporterAccountUnreadable',
  ],
  'A check has gone up and down three times, and Alertmanager is restarted': [
    '2 pager: +CheckDown',
    '7 pager: -CheckDown',
    '12 pager: +CheckDown',
    '17 pager: -CheckDown',
    '22 pager: +CheckDown',
    '59 pager: -CheckDown',
  ],
  'A check is down while Prometheus, Alertmanager and the exporter are restarted': [
    '2 pager: +CheckDown',
    '30 pager: -CheckDown',
  ],
  'A check is down, the replica that owns its account is killed, and another one takes the account':
    ['2 pager: +CheckDown', '32 pager: -CheckDown'],
  'A check is down, the replica that owns its account is killed, and it recovers before another one takes the account':
    ['2 pager: +CheckDown', '12 pager: -CheckDown'],
  'A check is down while two replicas hand its account over eight times': [
    '2 pager: +CheckDown',
    '27 pager: -CheckDown',
  ],
  'Nothing is down while the replica that owns an account is killed four times': [
    '13 chat: +ExporterOwnershipFlapping',
    '33 chat: -ExporterOwnershipFlapping',
  ],
  'Four checks are down at the same time, and come back one after another': [
    '2 pager: +CheckDown',
    '7 pager: +CheckDown ×2',
    '12 pager: +CheckDown',
    '22 pager: -CheckDown',
    '27 pager: -CheckDown ×2 ~CheckDown',
    '52 pager: -CheckDown',
    '55 tickets: +CheckErrorBudgetBurn',
  ],
};
