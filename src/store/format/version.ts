/**
 * The version of all records of a store. Version 1 may change freely until the first release. From then on a change
 * after which a former record would be misread raises it and adds a migration (migrations.ts).
 */
export const formatVersion = 1;
