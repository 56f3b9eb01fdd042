/** Only the user of the process may read the files of a store, or list its folders. */
export const ownersFile = 0o600;
export const ownersFolder = 0o700;
