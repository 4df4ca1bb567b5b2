/**
 * What was wrong. The first seven are about the request; the last four can only be faults of the receiving program.
 * - `missing_header`: no `SVC-Signature`
 * - `malformed_header`: `t` is absent, twice there or no whole number, or there is no `v1`; or a list was passed
 * - `signature_mismatch`: no `v1` fits any of the secrets
 * - `timestamp_too_old`, `timestamp_in_future`: rightly signed, but further from now than the tolerance
 * - `body_not_json`: rightly signed, but no JSON event
 * - `body_is_batch`: rightly signed, but a batch, for which there is `constructEvents`
 * - `body_not_raw`: the body was parsed, or is absent, instead of the bytes that came
 * - `missing_secret`: no secret was given, or one of them is empty
 * - `invalid_secret`: a secret has whitespace around it, such as the line break of the file that it was read from
 * - `invalid_options`: `toleranceSeconds` or `now` is none
 */
export type WebhookVerificationErrorCode =
  | 'missing_header'
  | 'malformed_header'
  | 'signature_mismatch'
  | 'timestamp_too_old'
  | 'timestamp_in_future'
  | 'body_not_json'
  | 'body_is_batch'
  | 'body_not_raw'
  | 'missing_secret'
  | 'invalid_secret'
  | 'invalid_options';

/**
 * The request is not to be trusted: answer 400 and do nothing. The message says what to do about it and holds no
 * secret, signature or content of the request, so that it may be logged and answered.
 */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: WebhookVerificationErrorCode;

  constructor(code: WebhookVerificationErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
