import type { FamilyDocuments, SingleDocuments } from '../../store/format/documents.ts';

export type FirstSeenDocument = SingleDocuments['first seen'];
export type BackfillJobDocument = SingleDocuments['backfill job'];
export type PastMaintenanceDocument = SingleDocuments['backfill maintenance'];
export type PastDocument = FamilyDocuments['backfill of check'];
export type PastResponseTimesDocument = FamilyDocuments['backfill response times of check'];
/** Keyed by name. */
export type ItemLabels = Readonly<Record<string, string>>;
