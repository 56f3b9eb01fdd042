/** Suites of TLS 1.2 as the toolkit names them (IANA), with the names of OpenSSL. */
const suitesOfTls12 = {
  TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: 'ECDHE-ECDSA-AES128-GCM-SHA256',
  TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256: 'ECDHE-RSA-AES128-GCM-SHA256',
  TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384: 'ECDHE-ECDSA-AES256-GCM-SHA384',
  TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384: 'ECDHE-RSA-AES256-GCM-SHA384',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-ECDSA-CHACHA20-POLY1305',
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-RSA-CHACHA20-POLY1305',
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA: 'ECDHE-ECDSA-AES128-SHA',
  TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA: 'ECDHE-ECDSA-AES256-SHA',
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA: 'ECDHE-RSA-AES128-SHA',
  TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA: 'ECDHE-RSA-AES256-SHA',
} as const;

const suitesOfTls13 = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
] as const;

export const cipherSuites = [
  ...(Object.keys(suitesOfTls12) as (keyof typeof suitesOfTls12)[]),
  ...suitesOfTls13,
] as const;
export type CipherSuite = (typeof cipherSuites)[number];

/** The suites in the form of OpenSSL. As in the toolkit, a list that names none of TLS 1.3 leaves those of TLS 1.3 alone. */
export function opensslCiphers(suites: readonly CipherSuite[]): string {
  const names = suites.map((suite) => (isOfTls12(suite) ? suitesOfTls12[suite] : suite));
  const restrictsTls13 = suites.some((suite) => !isOfTls12(suite));
  return [...(restrictsTls13 ? [] : suitesOfTls13), ...names].join(':');
}

function isOfTls12(suite: CipherSuite): suite is keyof typeof suitesOfTls12 {
  return Object.hasOwn(suitesOfTls12, suite);
}
