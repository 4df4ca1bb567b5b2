/** What REST shows of each type: GraphQL's field under its REST name. */
export const LINK = `id project_id: projectId domain slug short_url: shortUrl destination routing: routingJson data tags status
  external_id: externalId managed_by: managedBy title notes utm { source medium campaign term content }
  preview { title description image_url: imageUrl } password_protected: passwordProtected
  starts_at: startsAt expires_at: expiresAt expired_destination: expiredDestination click_limit: clickLimit
  match_window_seconds: matchWindowSeconds clicks last_clicked_at: lastClickedAt flag_reason: flagReason
  flagged_at: flaggedAt archived_at: archivedAt created_at: createdAt updated_at: updatedAt`;

/** The filters of lists, counts and exports of links. */
export const LINK_FILTERS = {
  variables: `$projectId: ID!, $search: String, $tag: String, $domain: String, $status: LinkStatus, $externalId: String,
    $managedBy: String, $batchId: String, $createdAfter: DateTimeISO, $createdBefore: DateTimeISO`,
  arguments: `projectId: $projectId, search: $search, tag: $tag, domain: $domain, status: $status,
    externalId: $externalId, managedBy: $managedBy, batchId: $batchId, createdAfter: $createdAfter, createdBefore: $createdBefore`,
};

export const TEAM = `id name status read_only_reason: readOnlyReason created_at: createdAt updated_at: updatedAt`;

export const PROJECT = `id name default_domain: defaultDomain match_window_seconds: matchWindowSeconds
  probabilistic_matching: probabilisticMatching max_event_value: maxEventValue health apps: appsJson created_at: createdAt updated_at: updatedAt`;

export const WEBHOOK = `id project_id: projectId url description event_types: eventTypes scope: scopeJson include_bots: includeBots
  batch { max_events: maxEvents max_wait_seconds: maxWaitSeconds } max_in_flight: maxInFlight
  external_id: externalId managed_by: managedBy status
  disabled_reason: disabledReason circuit consecutive_failures: consecutiveFailures api_version: apiVersion
  created_at: createdAt updated_at: updatedAt`;

export const DELIVERY = `id project_id: projectId webhook_id: webhookId event_id: eventId event_type: eventType event_count: eventCount test status
  attempt_count: attemptCount next_attempt_at: nextAttemptAt request_body: requestBody
  attempts { number at manual duration_ms: durationMs status_code: statusCode response_headers: responseHeaders
    response_body: responseBody error url request_headers: requestHeaders }
  created_at: createdAt updated_at: updatedAt`;

export const TAG = `id project_id: projectId name color managed_by: managedBy created_at: createdAt updated_at: updatedAt`;

export const DOMAIN = `id project_id: projectId hostname kind status verification { name type value purpose about found is_set: isSet } problem
  checked_at: checkedAt verified_at: verifiedAt root_destination: rootDestination
  not_found_destination: notFoundDestination expired_destination: expiredDestination
  managed_by: managedBy created_at: createdAt updated_at: updatedAt`;

export const KEY = `id project_id: projectId name kind scopes key last_four: lastFour last_used_at: lastUsedAt
  expires_at: expiresAt revoked_at: revokedAt created_at: createdAt updated_at: updatedAt`;

export const CURRENT_KEY = `id name scopes project { id name default_domain: defaultDomain }
  team { id name status read_only_reason: readOnlyReason } expires_at: expiresAt
  write_budget: writeBudget { limit remaining reset_seconds: resetSeconds }`;

export const ALERT = `id project_id: projectId kind severity title message link_id: linkId webhook_id: webhookId details
  acknowledged_at: acknowledgedAt resolved_at: resolvedAt created_at: createdAt updated_at: updatedAt`;

export const HEALTH = 'status checked_at: checkedAt checks { name status message since }';

export const EVENT = `id type api_version: apiVersion created_at: createdAt team_id: teamId project_id: projectId test data`;

export const TRACE = 'steps { rule matched why } outcome { kind destination }';

export const IMPORT = `id project_id: projectId source_format: sourceFormat status dry_run: dryRun on_conflict: onConflict
  batch_id: batchId counts { rows created updated skipped failed } progress unknown_columns: unknownColumns message
  created_at: createdAt updated_at: updatedAt finished_at: finishedAt`;

/** Whether and how an opening of an app was traced back. */
export const MATCH = 'matched method confidence score guaranteed factors { name points } clicked_at: clickedAt';

/** A link as apps see it. */
export const APP_LINK = 'id slug domain short_url: shortUrl destination data';

export const APP_OPEN = `open_id: openId match { ${MATCH} } link { ${APP_LINK} }`;

export const INSTALL = `id project_id: projectId install_id: installId platform app_version: appVersion os_version: osVersion
  first_opened_at: firstOpenedAt match { ${MATCH} } match_revised_at: matchRevisedAt click_id: clickId link_id: linkId
  created_at: createdAt updated_at: updatedAt`;

export const MATCH_REPORT = `install_id: installId match { ${MATCH} } match_revised_at: matchRevisedAt click_id: clickId link_id: linkId why threshold
  required_margin: requiredMargin margin address { shared why visitors } tokens { source accepted problem why } device
  candidates { click_id: clickId link_id: linkId clicked_at: clickedAt score factors { name points } verdict why }`;

/** A part of a CSV stream. */
export const CSV_PAGE = 'csv next_cursor: nextCursor';

const FIGURES = 'count unique values';

export const ANALYTICS = `event group_by: groupBy start end timezone as_of: asOf granularity total { ${FIGURES} }
  data { key ${FIGURES} } others { ${FIGURES} }`;

/** What a bulk call did; `word` is its count. */
export const bulkOf = (word: string): string => `batch_id: batchId counts { ${word} failed }
  results { index status link { ${LINK} } error { code message fields { path message } } }`;

/** A page of a list. */
export const pageOf = (selection: string): string => `data { ${selection} } next_cursor: nextCursor`;
