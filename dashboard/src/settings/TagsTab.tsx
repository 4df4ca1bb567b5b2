import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql, type ResultOf } from '../kernel/graphql.ts';
import { formatExact } from '../kernel/numbers.ts';
import { useChange, usePages } from '../kernel/queries.ts';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { t } from '../texts/index.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { IconPlus } from '../ui/icons.ts';
import { ManagedBy } from '../ui/ManagedBy.tsx';
import { dialogOnDemand } from '../ui/onDemand.tsx';
import { Card } from '../ui/Page.tsx';
import { RecordTable } from '../ui/RecordTable.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Time } from '../ui/Time.tsx';
import { toast, toastError } from '../ui/toasts.ts';
import type { OneProject } from './operations.ts';
import styles from './settings.module.css';

const TAGS = graphql(`
  query Tags($projectId: ID!, $cursor: String) {
    tags(projectId: $projectId, cursor: $cursor, limit: 100) {
      data {
        id
        name
        color
        managedBy
        linkCount
        createdAt
      }
      nextCursor
    }
  }
`);

const DELETE_TAG = graphql(`
  mutation DeleteTag($id: ID!) {
    deleteTag(id: $id)
  }
`);

export type Tag = ResultOf<typeof TAGS>['tags']['data'][number];

const TagDialog = dialogOnDemand(
  () => import('./TagDialog.tsx').then(({ TagDialog }) => TagDialog),
  ({ edited }) => edited !== null,
);

/** The tags of the project with how many links have each. */
export function TagsTab({ project }: { project: OneProject }) {
  const { tags } = t.settings;
  const query = usePages({
    about: 'tags',
    document: TAGS,
    variables: { projectId: project.id },
    pageOf: (data) => data.tags,
  });
  const [edited, setEdited] = useState<Tag | 'new' | null>(null);
  const create = (
    <GuardedButton scope="tags:write" leftSection={<IconPlus size={16} />} onClick={() => setEdited('new')}>
      {tags.new}
    </GuardedButton>
  );
  return (
    <>
      <Card title={tags.about} actions={create} isFlush>
        <RecordTable
          label={t.settings.tabs.tags}
          rows={query.rows}
          keyOf={({ id }) => id}
          query={query}
          empty={<EmptyState title={tags.empty} />}
          columns={[
            { title: tags.columns.name, cell: (tag) => <TagName tag={tag} /> },
            {
              title: tags.columns.links,
              cell: ({ name, linkCount }) => (
                <Link to="/links" search={{ tag: name }}>
                  {formatExact(linkCount)} <span className="visually-hidden">{tags.show(name)}</span>
                </Link>
              ),
              isNumber: true,
            },
            { title: tags.columns.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
            { title: tags.columns.actions, cell: (tag) => <Actions tag={tag} onEdit={() => setEdited(tag)} /> },
          ]}
        />
      </Card>
      <TagDialog projectId={project.id} edited={edited} onClose={() => setEdited(null)} />
    </>
  );
}

function TagName({ tag: { name, color, managedBy } }: { tag: Tag }) {
  return (
    <>
      {color === null ? null : <span className={styles.dot} style={{ background: color }} aria-hidden />}
      {name} <ManagedBy managedBy={managedBy} look="line" />
    </>
  );
}

function Actions({ tag: { id, name, linkCount }, onEdit }: { tag: Tag; onEdit: () => void }) {
  const { tags } = t.settings;
  const [isDeleting, setIsDeleting] = useState(false);
  const remove = useChange({
    document: DELETE_TAG,
    touches: ['tags', 'links'],
    onDone: () => {
      setIsDeleting(false);
      toast(tags.deleted);
    },
  });
  const look = { scope: 'tags:write', variant: 'default', size: 'compact-sm' } as const;
  return (
    <Group gap={6} role="group" aria-label={tags.actionsOf(name)}>
      <GuardedButton {...look} onClick={onEdit}>
        {tags.edit}
      </GuardedButton>
      <GuardedButton {...look} onClick={() => setIsDeleting(true)}>
        {t.common.delete}
      </GuardedButton>
      <ConfirmDialog
        isOpen={isDeleting}
        title={tags.deleteTitle(name)}
        verb={t.common.delete}
        count={linkCount}
        isPending={remove.isPending}
        onClose={() => setIsDeleting(false)}
        onConfirm={() => remove.mutate({ id }, { onError: toastError })}
      >
        {tags.deleteBody(formatExact(linkCount), linkCount)}
      </ConfirmDialog>
    </Group>
  );
}
