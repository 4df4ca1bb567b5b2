/** A function that checks a signature, in one language. */
interface Verifier {
  name: string;
  /** As fences name it. */
  language: string;
  /** The secret is a parameter; the one that is given here is its default value. */
  code(secret?: string): string;
}

/** For receivers without the package for Node: the reference and the dashboard show them. Each is given the raw body and the header. */
export const VERIFIERS: readonly Verifier[] = [
  {
    name: 'Node',
    language: 'ts',
    code: (secret) => `import { createHmac, timingSafeEqual } from 'node:crypto';

// body: the raw bytes of the request, header: its SVC-Signature
export function isGenuine(body, header, secret${byDefault(secret, JSON.stringify)}) {
  const parts = header.split(',').map((part) => part.split('='));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!(Math.abs(Date.now() / 1000 - Number(time)) <= 300)) return false;
  const wanted = createHmac('sha256', secret).update(time + '.').update(body).digest();
  return parts.some(([name, hex]) => {
    const sent = Buffer.from(hex ?? '', 'hex');
    return name === 'v1' && sent.length === wanted.length && timingSafeEqual(sent, wanted);
  });
}
`,
  },
  {
    name: 'Python',
    language: 'python',
    code: (secret) => `import hashlib, hmac, time

# body: the raw bytes of the request, header: its SVC-Signature
def is_genuine(body: bytes, header: str, secret: str${byDefault(secret, JSON.stringify)}) -> bool:
    parts = [part.partition("=")[::2] for part in header.split(",")]
    sent_at = dict(parts).get("t", "")
    if not sent_at.isdecimal() or abs(time.time() - int(sent_at)) > 300:
        return False
    wanted = hmac.new(secret.encode(), sent_at.encode() + b"." + body, hashlib.sha256).hexdigest()
    return any(
        name == "v1" and hmac.compare_digest(value.encode(), wanted.encode()) for name, value in parts
    )
`,
  },
  {
    name: 'Go',
    language: 'go',
    code: (secret) => `package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"time"
)
${secret === undefined ? '' : `\nconst secret = ${JSON.stringify(secret)}\n`}
// body: the raw bytes of the request, header: its SVC-Signature
func IsGenuine(body []byte, header string${secret === undefined ? ', secret string' : ''}) bool {
	var sentAt string
	var signatures [][]byte
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(part, "=")
		if name == "t" {
			sentAt = value
		} else if name == "v1" {
			if raw, err := hex.DecodeString(value); err == nil {
				signatures = append(signatures, raw)
			}
		}
	}
	seconds, err := strconv.ParseInt(sentAt, 10, 64)
	if err != nil || math.Abs(float64(time.Now().Unix()-seconds)) > 300 {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(sentAt + "."))
	mac.Write(body)
	for _, sent := range signatures {
		if hmac.Equal(sent, mac.Sum(nil)) {
			return true
		}
	}
	return false
}
`,
  },
  {
    name: 'PHP',
    language: 'php',
    code: (secret) => `<?php
// $body: file_get_contents('php://input'), $header: $_SERVER['HTTP_SVC_SIGNATURE']
function isGenuine(string $body, string $header, string $secret${byDefault(secret, quoted)}): bool {
    preg_match('/(?:^|,)t=(\\d+)/', $header, $time);
    if (!$time || abs(time() - (int) $time[1]) > 300) return false;
    $wanted = hash_hmac('sha256', $time[1] . '.' . $body, $secret);
    preg_match_all('/(?:^|,)v1=([0-9a-f]+)/', $header, $sent);
    foreach ($sent[1] as $hex) if (hash_equals($wanted, $hex)) return true;
    return false;
}
`,
  },
  {
    name: 'Ruby',
    language: 'ruby',
    code: (secret) => `require "openssl"

# body: request.body.read, header: request.get_header("HTTP_SVC_SIGNATURE")
def genuine?(body, header, secret${byDefault(secret, quoted)})
  parts = header.split(",").map { |part| part.split("=", 2) }
  time = parts.assoc("t")&.last.to_s
  return false if (Time.now.to_i - time.to_i).abs > 300
  wanted = OpenSSL::HMAC.hexdigest("SHA256", secret, "#{time}.#{body}")
  parts.any? { |name, hex| name == "v1" && OpenSSL.secure_compare(hex.to_s, wanted) }
end
`,
  },
];

function byDefault(secret: string | undefined, inQuotes: (text: string) => string): string {
  return secret === undefined ? '' : ` = ${inQuotes(secret)}`;
}

/** For PHP and Ruby. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
