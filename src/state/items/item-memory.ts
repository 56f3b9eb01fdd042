import type { GroupMember } from '../../slo/groups.ts';
import type { Asking } from '../../tally/asking.ts';
import type { AwaitedReport } from '../../tally/awaited-reports.ts';
import { inNoGroup } from '../standing/account-groups.ts';
import type { SloChoice } from '../standing/account-slo.ts';
import type { UnreadReport } from './first-sight.ts';
import type { AnalysisWait } from './outage-causes.ts';

/**
 * What other rooms keep of an item while it is listed. It hangs on the record of the item, and so
 * leaves with it. All fields exist from the beginning: objects of one shape take less memory.
 */
export class ItemMemory {
  /** The outage report that a check awaits. */
  awaitedReport: AwaitedReport | undefined = undefined;
  /**
   * Only a report may be recorded before this time, because tests were interrupted between the last
   * two lists, or because an earlier list's totals were not stored. UNIX seconds.
   */
  reportOnlyUntilSeconds: number | undefined = undefined;
  /** A report of a check that can be requested: of its past, or of an absence. */
  unread: UnreadReport | undefined = undefined;
  /** A check was down at first sight, or when it was restored. */
  wasDownAtFirstSight = false;
  /** When the analyses of a check are requested again; undefined while none is awaited. */
  analysisWait: AnalysisWait | undefined = undefined;
  /** The results of the outage that was open at first sight were read. */
  isFirstOutageRead = false;
  /** Reports of the past of a check, or of the states of a transaction, are incomplete. */
  incompleteReports: Asking | undefined = undefined;
  /** When a transaction was first listed as inactive; UNIX seconds. */
  inactiveSinceSeconds: number | undefined = undefined;
  /** The objective and the groups of the item. */
  sloChoice: SloChoice | undefined = undefined;
  /** Its ranges end at the present time, and so advance with it. */
  isGrowing = false;
  /** Its contribution to its groups. */
  groupMember: GroupMember | undefined = undefined;
  groups = inNoGroup;
  /** The latest start that an outage of the item can have, in UNIX seconds; undefined without one. */
  latestOutageSeconds: number | undefined = undefined;
  /** The start of its last closed outage is shown until then; UNIX seconds. */
  lastOutageUntilSeconds: number | undefined = undefined;

  /** The name or the tags of the item have changed. */
  relabelled(): void {
    this.sloChoice = undefined;
  }
}
