import { Alert } from '@mantine/core';
import { IconAlert } from './icons.ts';

/** What was refused and belongs to no field of the form. */
export function Problems({ messages, mt }: { messages: readonly string[]; mt?: string }) {
  if (messages.length === 0) return null;
  return (
    <Alert mt={mt} color="red" variant="light" role="alert" icon={<IconAlert size={18} />} lang="en">
      {messages.map((message) => (
        <div key={message}>{message}</div>
      ))}
    </Alert>
  );
}
