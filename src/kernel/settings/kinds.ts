import { BlockList, isIP } from 'node:net';

/** How one setting is read from its text. `parse` throws a RangeError that says what is expected. */
export interface Setting<T> {
  about: string;
  fallback: T;
  /** How the default is written in `.env.example`. */
  shown: string;
  parse(text: string): T;
}

function setting<T>(
  about: string,
  fallback: T,
  parse: (text: string) => T,
  shown = String(fallback ?? ''),
): Setting<T> {
  return { about, fallback, parse, shown };
}

export function text(about: string): Setting<string | null>;
export function text(about: string, fallback: string): Setting<string>;
export function text(about: string, fallback: string | null = null): Setting<string | null> {
  return setting<string | null>(about, fallback, (value) => value);
}

export function oneOf<const T extends string>(about: string, choices: readonly T[], fallback: T): Setting<T> {
  return setting(`${about} One of: ${choices.join(', ')}.`, fallback, (value) => {
    const choice = choices.find((known) => known === value);
    if (choice === undefined) throw new RangeError(`must be one of ${choices.join(', ')}`);
    return choice;
  });
}

export function integer(about: string, fallback: number, range: { min?: number; max?: number } = {}): Setting<number> {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = range;
  return setting(about, fallback, (value) => {
    const parsed = Number(value);
    if (!/^\d+$/.test(value) || parsed < min || parsed > max) {
      throw new RangeError(
        `must be a whole number from ${min}${max === Number.MAX_SAFE_INTEGER ? ' up' : ` to ${max}`}`,
      );
    }
    return parsed;
  });
}

/** A number that follows from other settings if it is unset; `shown` is the default in `.env.example`. */
export function derivedInteger(
  about: string,
  shown: number,
  range: { min?: number; max?: number },
): Setting<number | null> {
  const { parse } = integer(about, shown, range);
  return setting<number | null>(about, null, parse, String(shown));
}

/** Whole numbers, separated by commas. With `orNone`, an empty list is written `none`, because an empty value counts as unset. */
export function integers(about: string, fallback: number[], { orNone = false } = {}): Setting<number[]> {
  const parse = (value: string) => {
    if (orNone && value === 'none') return [];
    return value.split(',').map((part) => {
      if (!/^\d+$/.test(part.trim())) {
        throw new RangeError(`must be whole numbers separated by commas${orNone ? ', or none' : ''}`);
      }
      return Number(part);
    });
  };
  return setting(about, fallback, parse, fallback.join(','));
}

export function flag(about: string, fallback: boolean): Setting<boolean> {
  return setting(about, fallback, (value) => {
    if (['true', '1', 'yes'].includes(value.toLowerCase())) return true;
    if (['false', '0', 'no'].includes(value.toLowerCase())) return false;
    throw new RangeError('must be true or false');
  });
}

/** Addresses of name servers, separated by commas, each with a port if it is not 53. */
export function nameServers(about: string): Setting<string[] | null> {
  return setting<string[] | null>(about, null, (value) =>
    value.split(',').map((part) => {
      const [, bracketed, bare, port = '53'] = /^(?:\[([^\]]+)\]|([^:\s]+))(?::(\d{1,5}))?$/.exec(part.trim()) ?? [];
      if (!isIP(bracketed ?? bare ?? '') || Number(port) > 65_535) {
        throw new RangeError('must be name server addresses such as 192.0.2.53 or 192.0.2.53:5353');
      }
      return part.trim();
    }),
  );
}

/** smtp:// or smtps:// address of a mail server; `?requireTLS=false` allows sending a password unencrypted. */
export function smtpUrl(about: string): Setting<string | null> {
  return setting<string | null>(about, null, (value) => {
    const url = /^smtps?:\/\/[^/]/.test(value) ? URL.parse(value) : null;
    const isPlain =
      !url?.hash && ['', '/'].includes(url?.pathname ?? '') && canDecode(`${url?.username}:${url?.password}`);
    if (!url?.hostname || !isPlain || !['', '?requireTLS=true', '?requireTLS=false'].includes(url.search)) {
      throw new RangeError(
        'must look like smtp://user:password@mail.example.com:587 or smtps://…, with special characters in user and password percent-encoded',
      );
    }
    return value;
  });
}

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** An email address, alone or after a name in angle brackets. */
export function mailbox(about: string): Setting<string | null> {
  return setting<string | null>(about, null, (value) => {
    if (!/^([^<>@,;:"\p{Cc}]*<[^\s<>@,;:"]+@[^\s<>@,;:"]+>|[^\s<>@,;:"]+@[^\s<>@,;:"]+)$/u.test(value)) {
      throw new RangeError('must look like no-reply@example.com or Links <no-reply@example.com>');
    }
    return value;
  });
}

/** An http(s) origin without path, query or trailing slash. */
export function origin(about: string): Setting<string | null> {
  return setting<string | null>(about, null, (value) => {
    const url = URL.parse(value);
    if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash || url.username) {
      throw new RangeError('must be an origin such as https://links.example.com, without a path');
    }
    return url.origin;
  });
}

/** An origin with a default; `none` means no origin. */
export function originOrNone(about: string, fallback: string): Setting<string | null> {
  const { parse } = origin(about);
  return setting<string | null>(about, fallback, (value) => (value === 'none' ? null : parse(value)));
}

/** A host as in a URL: lower case, with a port only if it is not the default. */
export function host(about: string): Setting<string | null> {
  return setting<string | null>(about, null, (value) => {
    const url = URL.parse(`http://${value}`);
    if (url?.pathname !== '/' || url.username || /[/?#\s]/.test(value)) {
      throw new RangeError('must be a host such as go.example.com, without a scheme or path');
    }
    return url.host.replace(/\.(?=$|:)/, '');
  });
}

/** An http(s) URL. */
export function webUrl(about: string): Setting<string | null> {
  return setting<string | null>(about, null, (value) => {
    const url = URL.parse(value);
    if (!url || !/^https?:$/.test(url.protocol) || url.username) throw new RangeError('must be an http or https URL');
    return url.href;
  });
}

export interface ListenAddress {
  host: string;
  port: number;
}

/** A port, optionally with an address (the default is loopback): 9100, 10.0.0.5:9100, [::]:9100. */
export function listenAddress(about: string): Setting<ListenAddress | null> {
  return setting<ListenAddress | null>(about, null, (value) => {
    const [, bracketed, bare, port] = /^(?:(?:\[([^\]]+)\]|([^:\s]+)):)?(\d{1,5})$/.exec(value) ?? [];
    const host = bracketed ?? bare ?? '127.0.0.1';
    if (!isIP(host) || !port || Number(port) < 1 || Number(port) > 65_535) {
      throw new RangeError('must be a port from 1 to 65535, or an address and a port such as 0.0.0.0:9100');
    }
    return { host, port: Number(port) };
  });
}

/** Addresses or CIDR blocks, separated by commas. */
export function addressBlocks(about: string): Setting<BlockList> {
  const parse = (value: string) => {
    const list = new BlockList();
    for (const part of value.split(',').map((piece) => piece.trim())) {
      const [address = '', bits] = part.split('/');
      const version = isIP(address);
      const longest = version === 6 ? 128 : 32;
      const prefix = bits === undefined ? longest : Number(bits);
      // Number('') is 0, and a prefix of 0 would match every address.
      if (!version || !/^\d{1,3}$/.test(bits ?? '0') || prefix > longest) {
        throw new RangeError(`must be IP addresses or CIDR blocks separated by commas; "${part}" is neither`);
      }
      list.addSubnet(address, prefix, version === 6 ? 'ipv6' : 'ipv4');
    }
    return list;
  };
  return setting(about, new BlockList(), parse, '');
}

/** Former keys, separated by commas. A key may contain commas itself, so the whole value also counts as a key. */
export function formerKeys(about: string): Setting<string[] | null> {
  return setting<string[] | null>(about, null, (value) => {
    const parts = value.split(',').map((part) => part.trim());
    return parts.length === 1 ? parts : [value, ...parts.filter((part) => part !== '')];
  });
}

/** Single addresses, separated by commas. */
export function addresses(about: string): Setting<string[] | null> {
  return setting<string[] | null>(about, null, (value) =>
    value.split(',').map((part) => {
      if (!isIP(part.trim()))
        throw new RangeError(`must be IP addresses separated by commas; "${part.trim()}" is not one`);
      return part.trim();
    }),
  );
}

/** postgres:// or postgresql:// address. */
export function postgresUrl(about: string): Setting<string | null> {
  return setting<string | null>(about, null, (value) => {
    if (!/^postgres(ql)?:\/\//.test(value) || URL.parse(value) === null) {
      throw new RangeError('must look like postgres://user:password@host:5432/database');
    }
    return value;
  });
}

/** The HTTP address of a ClickHouse server, as `clickhouse://` (port 8123) or, with TLS, `clickhouses://` (port 8443). */
export function clickHouseUrl(about: string): Setting<string | null> {
  return setting<string | null>(about, null, (value) => {
    const url = /^clickhouses?:\/\/[^/]/.test(value) ? URL.parse(value) : null;
    const isPlain = !url?.hash && !url?.search && canDecode(`${url?.username}:${url?.password}`);
    if (!url?.hostname || !isPlain || !/^(\/\w*)?$/.test(url.pathname))
      throw new RangeError(
        'must look like clickhouse://user:password@host:8123/database or clickhouses://…, with special characters in user and password percent-encoded',
      );
    return value;
  });
}

/** A name that is written into statements as it is. */
export function plainName(about: string): Setting<string | null> {
  return setting<string | null>(about, null, (value) => {
    if (!/^\w+$/.test(value)) throw new RangeError('must be letters, digits and underscores');
    return value;
  });
}
