import { Checkbox } from '@mantine/core';
import { t } from '../texts/index.ts';
import { RecordTable } from '../ui/RecordTable.tsx';
import { resourcesOf } from './scopes.ts';

interface ScopeTableProps {
  all: readonly string[];
  selected: readonly string[];
  onChange: (selected: string[]) => void;
}

/** Reading and changing of each resource, where there is such a scope. */
export function ScopeTable({ all, selected, onChange }: ScopeTableProps) {
  const { form, resources } = t.api;
  const nameOf = (resource: string) => resources[resource] ?? resource;
  const box = (scope: string, label: string) =>
    all.includes(scope) ? (
      <Checkbox
        aria-label={label}
        checked={selected.includes(scope)}
        onChange={(event) =>
          onChange(event.currentTarget.checked ? [...selected, scope] : selected.filter((one) => one !== scope))
        }
      />
    ) : null;
  return (
    <RecordTable
      label={form.access}
      rows={resourcesOf(all)}
      keyOf={(resource) => resource}
      query={{ isPending: false, error: null, refetch: () => {} }}
      empty={null}
      columns={[
        { title: form.resource, cell: nameOf, isWords: true },
        { title: form.read, cell: (resource) => box(`${resource}:read`, form.readOf(nameOf(resource))) },
        { title: form.write, cell: (resource) => box(`${resource}:write`, form.writeOf(nameOf(resource))) },
      ]}
    />
  );
}
