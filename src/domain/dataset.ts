/** The kinds of data that are refreshed on their own. */
export const datasetNames = ['checks', 'credits'] as const;
export type DatasetName = (typeof datasetNames)[number];
