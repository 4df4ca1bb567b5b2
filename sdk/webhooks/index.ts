export { constructEvent, constructEvents } from './constructEvent.ts';
export type { SignatureHeaderValue } from './parseHeader.ts';
export type { RawBody } from './rawBody.ts';
export { type SigningInput, signatureHeader } from './signatureHeader.ts';
export { testEvent } from './testEvent.ts';
export { type VerifyOptions, verifySignature } from './verifySignature.ts';
export type { WebhookBatch, WebhookEvent, WebhookEventType } from './WebhookEvent.ts';
export { WebhookVerificationError, type WebhookVerificationErrorCode } from './WebhookVerificationError.ts';
