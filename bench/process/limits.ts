/** A common plan of the service for large accounts. */
export const largeRequestsPerHour = 11_600;
