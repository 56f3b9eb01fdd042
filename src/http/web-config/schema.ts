import { validateHeaderValue } from 'node:http';
import { z } from 'zod';
import { succeeds } from '../../lib/or-undefined.ts';
import { keysOf } from '../../lib/present.ts';
import { reportSentence, sentence } from '../../lib/schema-problems.ts';

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

const cipherSuites = [...keysOf(suitesOfTls12), ...suitesOfTls13] as const;
type CipherSuite = (typeof cipherSuites)[number];

/** Returns OpenSSL's form. A list without TLS 1.3 suites leaves all of those enabled. */
export function opensslCiphers(suites: readonly CipherSuite[]): string {
  const names = suites.map((suite) => (isOfTls12(suite) ? suitesOfTls12[suite] : suite));
  const restrictsTls13 = suites.some((suite) => !isOfTls12(suite));
  return [...(restrictsTls13 ? [] : suitesOfTls13), ...names].join(':');
}

function isOfTls12(suite: CipherSuite): suite is keyof typeof suitesOfTls12 {
  return Object.hasOwn(suitesOfTls12, suite);
}

const clientAuthTypes = [
  'NoClientCert',
  'RequestClientCert',
  'RequireClientCert',
  'RequireAnyClientCert',
  'VerifyClientCertIfGiven',
  'RequireAndVerifyClientCert',
] as const;
export type ClientAuthType = (typeof clientAuthTypes)[number];

export const tlsVersions = {
  TLS10: 'TLSv1',
  TLS11: 'TLSv1.1',
  TLS12: 'TLSv1.2',
  TLS13: 'TLSv1.3',
} as const;

export const curves = {
  CurveP256: 'prime256v1',
  CurveP384: 'secp384r1',
  CurveP521: 'secp521r1',
  X25519: 'X25519',
} as const;

/** Hashes of cost 4 to 14. A higher cost would take a thread for more than a second. */
const bcryptHash = /^\$2[aby]\$(?:0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$/;
const hashProblem =
  'must be a bcrypt hash of cost 4 to 14, as `htpasswd -nBC 10 "" | tr -d ":\\n"` makes one';

const pathText = 'the path of a file';
const file = z.string(pathText).min(1, pathText);

const headerValue = z
  .string()
  .refine(
    (text) => succeeds(() => validateHeaderValue('X', text)),
    sentence('is not valid in an HTTP header'),
  );

const tlsServerConfig = z
  .strictObject({
    cert_file: file,
    key_file: file,
    client_ca_file: file.optional(),
    client_auth_type: z.enum(clientAuthTypes).default('NoClientCert'),
    min_version: z.enum(keysOf(tlsVersions)).default('TLS12'),
    max_version: z.enum(keysOf(tlsVersions)).default('TLS13'),
    cipher_suites: z.array(z.enum(cipherSuites)).optional(),
    prefer_server_cipher_suites: z.boolean().default(true),
    curve_preferences: z.array(z.enum(keysOf(curves))).optional(),
  })
  .superRefine((tls, context) => {
    const addProblem = (key: string, message: string) => reportSentence(context, [key], message);
    if (tls.min_version > tls.max_version) {
      addProblem('min_version', `must not be above max_version, ${tls.max_version}`);
    }
    const verifies = /Verify/.test(tls.client_auth_type);
    if (verifies && tls.client_ca_file === undefined) {
      addProblem('client_auth_type', 'requires client_ca_file, the CA certificates to verify with');
    }
    if (tls.client_auth_type === 'NoClientCert' && tls.client_ca_file !== undefined) {
      addProblem('client_ca_file', 'has no effect without client_auth_type; set that too');
    }
  });

/** The file of `--web.config.file` in the format of the Prometheus exporter toolkit. */
export const webConfigSchema = z.strictObject({
  tls_server_config: tlsServerConfig.nullish(),
  http_server_config: z
    .strictObject({
      http2: z.literal(false, 'false, because the exporter serves HTTP/1.1 only').optional(),
      headers: z
        .strictObject({
          'Content-Security-Policy': headerValue.optional(),
          'Strict-Transport-Security': headerValue.optional(),
          'X-Content-Type-Options': z.literal(['nosniff', '']).optional(),
          'X-Frame-Options': z.literal(['deny', 'sameorigin', '']).optional(),
          'X-XSS-Protection': headerValue.optional(),
        })
        .nullish(),
    })
    .nullish(),
  basic_auth_users: z
    .record(
      z.string().regex(/^[^:\p{Cc}]+$/u, 'a user name is not empty and has no colon'),
      z.custom<string>(
        (hash) => typeof hash === 'string' && bcryptHash.test(hash),
        sentence(hashProblem),
      ),
    )
    .nullish(),
});

export type WebConfigFile = z.infer<typeof webConfigSchema>;
export type TlsServerConfig = z.infer<typeof tlsServerConfig>;
