import { TagsInput, type TagsInputProps } from '@mantine/core';
import { useState } from 'react';
import { graphql } from '../kernel/graphql.ts';
import { useAsk } from '../kernel/queries.ts';

const TAGS = graphql(`
  query TagNames($projectId: ID!) {
    tags(projectId: $projectId, limit: 100) {
      data {
        name
      }
    }
  }
`);

interface TagsFieldProps extends TagsInputProps {
  projectId: string;
  onChange: (tags: string[]) => void;
}

/** Tags by name: those of the project are offered, and new ones are made by writing them. */
export function TagsField({ projectId, onChange, ...rest }: TagsFieldProps) {
  const { data } = useAsk({ about: 'tags', document: TAGS, variables: { projectId } });
  const names = data?.tags.data.map(({ name }) => name) ?? [];
  const [isOpen, setIsOpen] = useState(false);
  // The list of tags would lie over what comes next, such as the button of a dialog.
  const change = (tags: string[]) => {
    setIsOpen(false);
    onChange(tags);
  };
  return (
    <TagsInput
      data={names}
      clearable
      acceptValueOnBlur
      // A list without tags is not seen, and would take the first Escape of a dialog for itself.
      dropdownOpened={isOpen && names.length > 0}
      onDropdownOpen={() => setIsOpen(true)}
      onDropdownClose={() => setIsOpen(false)}
      onChange={change}
      {...rest}
    />
  );
}
