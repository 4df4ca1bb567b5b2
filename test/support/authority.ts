import 'reflect-metadata';
import { KeyObject, type webcrypto } from 'node:crypto';
import tls from 'node:tls';
import {
  BasicConstraintsExtension,
  type Extension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

const DAY_MS = 86_400_000;
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

export interface CertificateOptions {
  names?: string[];
  addresses?: string[];
  /** In days from now. */
  validFrom?: number;
  validTo?: number;
}

/** What a server of node:tls takes; PEM. */
export interface Certificate {
  key: string;
  cert: string;
}

/** Issues certificates for tests. */
export class Authority {
  readonly #keys: webcrypto.CryptoKeyPair;
  readonly #name: string;
  readonly #certificate: string;

  private constructor(keys: webcrypto.CryptoKeyPair, name: string, certificate: string) {
    this.#keys = keys;
    this.#name = name;
    this.#certificate = certificate;
  }

  static async make(name = 'CN=Authority of tests'): Promise<Authority> {
    const keys = await makeKeys();
    return new Authority(keys, name, await vouch(keys, name, [new BasicConstraintsExtension(true, 0, true)]));
  }

  async issue(options: CertificateOptions = {}): Promise<Certificate> {
    const keys = await makeKeys();
    const certificate = await X509CertificateGenerator.create({
      subject: 'CN=receiver',
      issuer: this.#name,
      ...validity(options),
      publicKey: keys.publicKey,
      signingKey: this.#keys.privateKey,
      signingAlgorithm: ALGORITHM,
      extensions: [alternativeNames(options)],
    });
    return { key: pem(keys), cert: certificate.toString('pem') };
  }

  /** Makes this process trust the authority until the function that this gives is called. */
  trust(): () => void {
    const before = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...before, this.#certificate]);
    return () => tls.setDefaultCACertificates(before);
  }
}

/** A certificate that vouches for itself. */
export async function selfSigned(options: CertificateOptions): Promise<Certificate> {
  const keys = await makeKeys();
  return { key: pem(keys), cert: await vouch(keys, 'CN=receiver', [alternativeNames(options)]) };
}

async function vouch(keys: webcrypto.CryptoKeyPair, name: string, extensions: Extension[]): Promise<string> {
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name,
    ...validity({}),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions,
  });
  return certificate.toString('pem');
}

function validity({ validFrom = -1, validTo = 30 }: CertificateOptions) {
  return { notBefore: new Date(Date.now() + validFrom * DAY_MS), notAfter: new Date(Date.now() + validTo * DAY_MS) };
}

function alternativeNames({ names = [], addresses = [] }: CertificateOptions): Extension {
  return new SubjectAlternativeNameExtension([
    ...names.map((value) => ({ type: 'dns' as const, value })),
    ...addresses.map((value) => ({ type: 'ip' as const, value })),
  ]);
}

function makeKeys(): Promise<webcrypto.CryptoKeyPair> {
  return crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

function pem({ privateKey }: webcrypto.CryptoKeyPair): string {
  return KeyObject.from(privateKey).export({ type: 'pkcs8', format: 'pem' }).toString();
}
