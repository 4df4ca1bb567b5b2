import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './ui/mantine.ts';
import { askReach, onRightsChange, onSessionEnd } from './kernel/ask.ts';
import { sayErrors } from './kernel/GraphqlError.ts';
import { language } from './kernel/language.ts';
import { queryClient, refresh, refreshAll } from './kernel/queries.ts';
import { watchReach } from './kernel/reach.ts';
import { forgetDrafts } from './kernel/storage.ts';
import { catchTyping } from './kernel/typeAhead.ts';
import { whenIdle } from './kernel/whenIdle.ts';
import { router } from './routes.tsx';
import { leaveToSignIn } from './session/leaveToSignIn.ts';
import { announceEnd, onElsewhere } from './session/otherTabs.ts';
import { checkSession, sessionQuery } from './session/session.ts';
import { beginAgain, noteMissingCode } from './shell/reloadAfterUpdate.ts';
import { awaitFieldsOfPages } from './shell/useNavigationFocus.ts';
import { loadTexts, t } from './texts/index.ts';
import { fieldMessage } from './ui/formErrors.ts';
import { Toasts } from './ui/Toasts.tsx';
import { cssVariablesResolver, makeTheme } from './ui/theme.ts';

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
// The lock of scrolling behind dialogs writes a style sheet of its own.
setNonce(nonce);
noteMissingCode();
catchTyping();
// Not needed before somebody has begun to use a form.
void whenIdle()
  .then(useKeysOfForms)
  .catch(() => {});
awaitFieldsOfPages(router);
onSessionEnd(() => {
  // Whoever had none has nothing to announce: tabs without a session would tell each other so for ever.
  if (queryClient.getQueryData(sessionQuery.queryKey)) announceEnd();
  void leaveToSignIn(router, { isEnded: true });
});
onElsewhere({
  // Not what the person who signed out was writing: somebody else may sign in here.
  signedOut: () => void leaveToSignIn(router, { isEnded: false }).then(forgetDrafts),
  // This tab may have a newer session: it asks for itself.
  ended: () => void checkSession(),
  signedIn: () => void checkSession().then(() => router.invalidate()),
});
onRightsChange(() => void refresh(['session']));
watchReach({ ask: () => askReach(), onReturn: () => void refreshAll() });
document.documentElement.lang = language;
await loadTexts(language).catch(beginAgain);
sayErrors({ field: fieldMessage, away: () => t.common.away });
const theme = makeTheme();

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Toasts />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);

async function useKeysOfForms(): Promise<void> {
  const { keepFocus, saveByKey } = await import('./shell/formKeys.ts');
  keepFocus();
  saveByKey();
}
