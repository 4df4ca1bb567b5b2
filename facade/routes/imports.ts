import type { Route } from './Route.ts';
import { CSV_PAGE, IMPORT, LINK_FILTERS, pageOf } from './selections.ts';

const tag = 'Imports';
const mediaTypes = ['text/csv'];

const FORMATS =
  'Columns are recognized by their names in the first line, in any order; case, spaces and underscores do not matter. ' +
  'Cells are separated by commas, semicolons or tabs. UTF-8, at most 50 MB and 100,000 rows.\n\n' +
  '`format=svc` (the default) reads the columns of `GET /links/export`. Only `destination` is required. Tags are separated ' +
  'by `|`; `routing`, `data` and `preview` are JSON; times are ISO 8601. A row refers to an existing link by `id`, then ' +
  '`external_id`, then `domain` and `slug`.\n\n' +
  'With `on_conflict=update` each field is replaced as a whole. In an `svc` file, an empty cell clears its field, so that ' +
  'importing an export restores it exactly; in other formats, an empty cell changes nothing. A row without any change ' +
  'counts as skipped.\n\n' +
  'The other formats read the exports of Bitly, Dub, Short.io, Rebrandly, Firebase Dynamic Links and Branch. Links on a ' +
  'domain of the vendor (bit.ly, dub.sh, short.gy, rebrand.ly, page.link, app.link, …) move to the default domain of the ' +
  'project with the same slug; any other domain must be a link domain of the project, or the row fails. Other ' +
  'destinations for iOS, Android, desktops and countries become rules of `routing`; a row that names apps, or a path in ' +
  'an app, gets `open_app: true`. A Bitlink with several back-halves becomes one link for each. Your own columns in a ' +
  'Branch file become `data`. Passwords are imported. If the file only says that a link has a password, the row fails, ' +
  'because the link would be public. A row for the root of a domain fails too: set `root_destination` instead. Columns ' +
  'that are not imported are listed in `unknown_columns`, and their values in `GET /imports/{id}/rows`.';

const JOB =
  'Responds at once, and a job imports the rows: poll `GET /imports/{id}` until `status` is `finished`, `failed` or ' +
  '`cancelled`. A bad row does not affect the others. At the end, one `links.imported` event is sent, except for a dry ' +
  'run. 422 for a file that cannot be imported at all; no link is created then.';

export const IMPORT_ROUTES: Route[] = [
  {
    id: 'listImports',
    call: 'imports.list',
    method: 'GET',
    path: '/imports',
    tag,
    summary: 'List imports',
    scope: 'links:read',
    document: `query ($projectId: ID!, $limit: Int, $cursor: String) {
      imports(projectId: $projectId, limit: $limit, cursor: $cursor) { ${pageOf(IMPORT)} } }`,
    status: 200,
  },
  {
    id: 'startImport',
    call: 'imports.start',
    method: 'POST',
    path: '/imports',
    tag,
    summary: 'Import links from a CSV file',
    description: `${JOB}\n\n${FORMATS}`,
    scope: 'links:write',
    document: `mutation ($projectId: ID!, $format: ImportFormat, $dryRun: Boolean, $onConflict: OnConflict) {
      startImport(projectId: $projectId, format: $format, dryRun: $dryRun, onConflict: $onConflict) { ${IMPORT} } }`,
    status: 202,
    takes: 'csv',
  },
  {
    id: 'getImport',
    call: 'imports.get',
    method: 'GET',
    path: '/imports/{id}',
    tag,
    summary: 'Get an import',
    description: 'The counts and `progress` grow while the import runs.',
    scope: 'links:read',
    document: `query ($id: ID!) { import(id: $id) { ${IMPORT} } }`,
    status: 200,
  },
  {
    id: 'listImportErrors',
    call: 'imports.errors',
    method: 'GET',
    path: '/imports/{id}/errors',
    tag,
    summary: 'List the errors of the failed rows',
    description:
      'CSV: `row` is the line of the file where the row begins (the header line is 1), `column` is spelled as in the ' +
      'file, and empty if the row as a whole is meant. A row with several bad cells has one line for each.',
    scope: 'links:read',
    document: `query ($id: ID!, $cursor: String) { importErrors(id: $id, cursor: $cursor) { ${CSV_PAGE} } }`,
    status: 200,
    answer: 'csv',
    mediaTypes,
  },
  {
    id: 'listImportRows',
    call: 'imports.rows',
    method: 'GET',
    path: '/imports/{id}/rows',
    tag,
    summary: 'List the results of all rows',
    description:
      'CSV with `row`, `outcome` (`created`, `updated`, `skipped` or `failed`), `column` and `message`; after a dry ' +
      'run, what would happen to each row. `row` and `column` are as in `GET /imports/{id}/errors`. A row that was ' +
      'created or changed has lines with `Not taken over: <JSON>.` for values that its link does not have; if it ' +
      'became several links, there may be several such lines.',
    scope: 'links:read',
    document: `query ($id: ID!, $cursor: String) { importRowsCsv(id: $id, cursor: $cursor) { ${CSV_PAGE} } }`,
    status: 200,
    answer: 'csv',
    mediaTypes,
  },
  {
    id: 'cancelImport',
    call: 'imports.cancel',
    danger: 'stops',
    rehearses: true,
    method: 'POST',
    path: '/imports/{id}/cancel',
    tag,
    summary: 'Cancel an import',
    description:
      'Rows that are being processed are completed, and links that were created or changed are kept. Safe to repeat. ' +
      '409 `conflict` for an import that has finished or failed.',
    scope: 'links:write',
    document: `mutation ($id: ID!) { cancelImport(id: $id) { ${IMPORT} } }`,
    status: 200,
    errors: ['conflict'],
  },
  {
    id: 'exportLinks',
    call: 'links.export',
    method: 'GET',
    path: '/links/export',
    tag: 'Links',
    summary: 'Export links as CSV or NDJSON',
    description:
      'Streams all links of the project, or those that match the filters, oldest first. `POST /imports` accepts the ' +
      'result. Passwords, match windows and clicks are not included. Cells are written unchanged, so that an import ' +
      'restores them exactly; a spreadsheet program reads a title that begins with `=` as a formula. With ' +
      '`spreadsheet=true`, such cells are prefixed with a single quote: use it for files that people open, not for ' +
      'imports. With `format=ndjson`, each line is a whole link as `GET /links/{id}` shows it, for programs: it has every ' +
      'field, match windows and clicks too, and cannot be imported.',
    scope: 'links:read',
    document: `query (${LINK_FILTERS.variables}, $spreadsheet: Boolean, $format: ExportFormat, $cursor: String) {
      exportLinks(${LINK_FILTERS.arguments}, spreadsheet: $spreadsheet, format: $format, cursor: $cursor) { ${CSV_PAGE} } }`,
    status: 200,
    answer: 'csv',
    mediaTypes: ['text/csv', 'application/x-ndjson'],
  },
];
