/** What an assistant does about each error code. Every code of the server has a row; a test sees to it. */
export const ADVICE: Record<string, string> = {
  invalid_json: 'Send the arguments as one JSON object.',
  invalid_request: 'Correct what the message names, then call again.',
  invalid_token: 'Do not retry. Tell the person that the token is no longer valid.',
  missing_key: 'Do not retry. Tell the person that the connection has no key.',
  invalid_key: 'Do not retry. Tell the person that the key was revoked or has expired.',
  invalid_credentials: 'Do not retry. Tell the person.',
  not_signed_in: 'Do not retry. Only people can do this, in the dashboard.',
  second_factor_required: 'Do not retry. Only people can do this, in the dashboard.',
  publishable_key_refused: 'Do not retry. Tell the person that a secret key is needed.',
  secret_key_refused: 'Do not retry. Tell the person that apps do this with their publishable key.',
  insufficient_scope: 'Do not retry and do not look for another way. Tell the person which scope the key lacks.',
  team_read_only: 'Do not retry. Tell the person that the team can be read but not changed at present.',
  account_limit_reached: 'Do not retry. Tell the person which limit was reached.',
  email_unconfirmed: 'Do not retry. The person must confirm their e-mail address first.',
  account_deleted: 'Do not retry. Tell the person.',
  sign_up_closed: 'Do not retry. Tell the person.',
  wrong_account: 'Do not retry. Tell the person.',
  not_found: 'Look for it with find_links, or with the tool that lists such things. Do not guess ids.',
  method_not_allowed: 'Look up the operation with search_api.',
  request_timeout: 'Call once more. If it fails again, tell the person.',
  slug_taken: 'Leave slug out to get a generated one, or find the link that has it with find_links.',
  conflict: 'Read the present state, then decide again. Tell the person if it is not clear what they want.',
  idempotency_in_progress: 'Wait a few seconds, then call once more with the same idempotency_key.',
  payload_too_large: 'Send less at a time.',
  unsupported_media_type: 'Do not retry. This takes a file, which tools cannot send; tell the person.',
  validation_failed: 'Correct the named fields and call again. get_docs and search_api say what they take.',
  destination_refused: 'Do not try variants of the URL. Tell the person that the destination is refused, and why.',
  idempotency_key_reused: 'Use a new idempotency_key for other arguments.',
  rate_limited: 'Wait as long as the message says, then call once.',
  internal_error: 'Call once more, with the same idempotency_key if there was one. If it fails again, tell the person.',
  unavailable: 'Call once more in a few seconds, with the same idempotency_key if there was one. Then tell the person.',
  // Of this room.
  read_only: 'Do not retry. Tell the person that this connection may only read.',
  unknown_operation: 'Find it with search_api.',
  not_offered:
    'Do not retry and do not look for a way around. Use what the message names, or tell the person where they can do it.',
  write_budget_used_up: 'Do not retry and do not split the change. Tell the person when changes are possible again.',
  confirmation_needed:
    'Do not retry. The person must do this in the dashboard, or connect a program that can ask them.',
  confirmation_invalid: 'Call without confirm to see what would happen and to get a new code. Ask the person first.',
  declined: 'The person said no. Do not ask again, and do not look for another way.',
  cancelled: 'Nothing more was done. Look at the present state before you go on.',
  plan_stale: 'Call plan_changes again and show the person the new plan.',
};

/** What to do about a code that is newer than this table. */
export const ADVICE_OTHERWISE = 'Tell the person what the message says.';
