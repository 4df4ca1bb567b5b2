import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { copyText } from '../kernel/copyText.ts';
import { t } from '../texts/index.ts';
import { IconCheck, IconCopy } from './icons.ts';
import { toast } from './toasts.ts';

const SHOWN_MS = 1500;

interface CopyButtonProps {
  text: string;
  /** What is copied, for the name of the button: “the short URL”. */
  what: string;
  /** A button with words instead of an icon. */
  label?: string;
  /** An element with the text, which is selected where the browser allows no copying. */
  fallback?: () => Element | null;
}

/** Copies a text, and says so. */
export function CopyButton({ text, what, label, fallback }: CopyButtonProps) {
  const [said, setSaid] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    const isCopied = await copyText(text);
    const isSelected = !isCopied && selectText(fallback?.() ?? null);
    if (!isCopied && !isSelected) return toast(t.common.copyByHand(text));
    setSaid(isCopied ? t.common.copied : t.common.selected);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setSaid(null), SHOWN_MS);
  };
  const icon = said === t.common.copied ? <IconCheck size={16} /> : <IconCopy size={16} />;
  return (
    <>
      {label === undefined ? (
        <Tooltip label={said ?? t.common.copyThis(what)}>
          <ActionIcon variant="subtle" color="gray" aria-label={t.common.copyThis(what)} onClick={copy}>
            {icon}
          </ActionIcon>
        </Tooltip>
      ) : (
        <Button variant="default" leftSection={icon} onClick={copy}>
          {said ?? label}
        </Button>
      )}
      <span role="status" className="visually-hidden">
        {said}
      </span>
    </>
  );
}

/** Whether there was something to select. */
function selectText(element: Element | null): boolean {
  if (!element) return false;
  const range = document.createRange();
  range.selectNodeContents(element);
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
  return true;
}
