/** The exporter cannot listen; the message says on what, why and what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError' as const;
}
