import { useState } from 'react';
import { ask } from '../kernel/ask.ts';
import { downloadText } from '../kernel/csv.ts';
import { graphql, type VariablesOf } from '../kernel/graphql.ts';
import { toastError } from '../ui/toasts.ts';
import { exportAddress } from './exportAddress.ts';
import type { LinkFilters } from './filters.ts';
import type { Selection } from './selection.ts';

const EXPORT_SELECTED = graphql(`
  query ExportSelected($projectId: ID!, $ids: [ID!], $cursor: String) {
    exportLinks(projectId: $projectId, ids: $ids, spreadsheet: true, cursor: $cursor) {
      csv
      nextCursor
    }
  }
`);

/** Ids in one operation, the most that the server takes. */
const TOGETHER = 1000;

/** Downloads the selected links as CSV, in the format that can be imported again. */
export function useExport(projectId: string, filters: LinkFilters) {
  const [isExporting, setIsExporting] = useState(false);
  const exportLinks = async (selection: Selection) => {
    if (selection.kind === 'all') {
      Object.assign(document.createElement('a'), { href: exportAddress(projectId, filters), download: '' }).click();
      return;
    }
    setIsExporting(true);
    try {
      downloadText('links.csv', await csvOf(projectId, [...selection.ids]));
    } catch (error) {
      toastError(error);
    } finally {
      setIsExporting(false);
    }
  };
  return { isExporting, exportLinks };
}

async function csvOf(projectId: string, ids: readonly string[]): Promise<string> {
  let csv = '';
  for (let at = 0; at < ids.length; at += TOGETHER) {
    let cursor: string | null = null;
    do {
      const variables: VariablesOf<typeof EXPORT_SELECTED> = { projectId, ids: ids.slice(at, at + TOGETHER), cursor };
      const part: { csv: string; nextCursor: string | null } = (await ask(EXPORT_SELECTED, variables)).exportLinks;
      // Only the first part of all keeps the line with the names of the columns.
      csv += at > 0 && cursor === null ? part.csv.slice(part.csv.indexOf('\n') + 1) : part.csv;
      cursor = part.nextCursor;
    } while (cursor !== null);
  }
  return csv;
}
