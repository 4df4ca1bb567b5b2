import type { Route } from '../Route.ts';
import { CSV_PAGE, IMPORT, LINK_FILTERS, pageOf } from '../selections.ts';

const tag = 'Imports';
const mediaTypes = ['text/csv'];

const FORMATS =
  'Columns are found by their names in the first line; case, spaces, underscores and order do not matter, and cells are ' +
  'separated by commas, semicolons or tabs. UTF-8, at most 50 MB and 100,000 rows.\n\n' +
  '`format=svc` (the default) takes the columns of `GET /links/export`. `destination` alone is needed; tags are joined by ' +
  '`|`; `routing`, `data` and `preview` are JSON; times are ISO 8601. A row is an existing link by `id`, then ' +
  '`external_id`, then `domain` and `slug`.\n\n' +
  'With `on_conflict=update` a field is replaced whole. Of an `svc` file an empty cell clears its field, so that the ' +
  'import of an export is exact; of the files of others it says nothing. A row in which nothing is different counts as ' +
  'skipped.\n\n' +
  'The other formats take the exports of Bitly, Dub, Short.io, Rebrandly, Firebase Dynamic Links and Branch. Links on a ' +
  'domain of the vendor (bit.ly, dub.sh, short.gy, rebrand.ly, page.link, app.link, …) move to the default domain of the ' +
  'project with the same slug; any other domain must be a link domain of the project, or the row fails. Other ' +
  'destinations for iOS, Android, desktops and countries become rules of `routing`; a row that names apps, or a place in ' +
  'one, has `open_app: true`. A Bitlink with several back-halves becomes as many links. Columns of your own in a file of ' +
  'Branch become `data`. A password is taken over; where the file only says that there is one, the row fails, because its ' +
  'link would be public. So does a row that is the root of a domain: set `root_destination` instead. Columns that nothing ' +
  'is taken from are listed in `unknown_columns`, and their values in `GET /imports/{id}/rows`.';

const JOB =
  'The answer comes at once, and the rows are done by a job: ask `GET /imports/{id}` until `status` is `finished`, ' +
  '`failed` or `cancelled`. A bad row fails alone. When it has ended, one `links.imported` event tells of it, except of ' +
  'a dry run. 422 for a file that cannot be imported at all, and nothing is made of it then.';

export const IMPORT_ROUTES: Route[] = [
  {
    id: 'listImports',
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
    method: 'POST',
    path: '/imports',
    tag,
    summary: 'Import links from a CSV file',
    description: `${JOB}\n\n${FORMATS}`,
    scope: 'links:write',
    document: `mutation ($projectId: ID!, $format: String, $dryRun: Boolean, $onConflict: String) {
      startImport(projectId: $projectId, format: $format, dryRun: $dryRun, onConflict: $onConflict) { ${IMPORT} } }`,
    status: 202,
    takes: 'csv',
  },
  {
    id: 'getImport',
    method: 'GET',
    path: '/imports/{id}',
    tag,
    summary: 'One import',
    description: 'Counts and `progress` grow while it runs.',
    scope: 'links:read',
    document: `query ($id: ID!) { import(id: $id) { ${IMPORT} } }`,
    status: 200,
  },
  {
    id: 'listImportErrors',
    method: 'GET',
    path: '/imports/{id}/errors',
    tag,
    summary: 'What is wrong with the rows that failed',
    description:
      'CSV: `row` is the line of the file in which the row begins (the first line, with the names of the columns, is 1), ' +
      '`column` is spelled as in the file and empty where the row as a whole is meant. A row with several bad cells has ' +
      'a line for each.',
    scope: 'links:read',
    document: `query ($id: ID!, $cursor: String) { importErrors(id: $id, cursor: $cursor) { ${CSV_PAGE} } }`,
    status: 200,
    answer: 'csv',
    mediaTypes,
  },
  {
    id: 'listImportRows',
    method: 'GET',
    path: '/imports/{id}/rows',
    tag,
    summary: 'What became of every row',
    description:
      'CSV with `row`, `outcome` (`created`, `updated`, `skipped` or `failed`), `column` and `message`: after a dry run, ' +
      'what would become of each. `row` and `column` are those of `GET /imports/{id}/errors`. A row that was made or changed ' +
      'has lines with `Not taken over: <JSON>.` for what it says that its link has not, also several times where it is ' +
      'several links.',
    scope: 'links:read',
    document: `query ($id: ID!, $cursor: String) { importRows(id: $id, cursor: $cursor) { ${CSV_PAGE} } }`,
    status: 200,
    answer: 'csv',
    mediaTypes,
  },
  {
    id: 'cancelImport',
    method: 'POST',
    path: '/imports/{id}/cancel',
    tag,
    summary: 'Cancel an import',
    description:
      'Rows that are in hand are ended first; links that were made or changed stay so. Safe to repeat. 409 `conflict` for ' +
      'an import that has finished or failed.',
    scope: 'links:write',
    document: `mutation ($id: ID!) { cancelImport(id: $id) { ${IMPORT} } }`,
    status: 200,
    errors: ['conflict'],
  },
  {
    id: 'exportLinks',
    method: 'GET',
    path: '/links/export',
    tag: 'Links',
    summary: 'Export links as CSV',
    description:
      'A stream of all links of the project, or of those that the filters leave, oldest first; `POST /imports` takes it ' +
      'back. Passwords, match windows and clicks are not in it. Cells are written as they are, so that an import restores ' +
      'them exactly; to a spreadsheet program a title that begins with `=` is a formula. With `spreadsheet=true` such cells ' +
      'get a single quote in front: use that for files which people open, and not for imports.',
    scope: 'links:read',
    document: `query (${LINK_FILTERS.variables}, $spreadsheet: Boolean, $cursor: String) {
      exportLinks(${LINK_FILTERS.arguments}, spreadsheet: $spreadsheet, cursor: $cursor) { ${CSV_PAGE} } }`,
    status: 200,
    answer: 'csv',
    mediaTypes,
  },
];
