export const apiVersions = ['3.1', '2.1', '2.0'] as const;

/** The versions of the service's API, as in its paths. */
export type ApiVersion = (typeof apiVersions)[number];
