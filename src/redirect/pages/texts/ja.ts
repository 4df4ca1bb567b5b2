import type { PageTexts } from './PageTexts.ts';

export const ja: PageTexts = {
  notFound: {
    title: 'リンクが見つかりません',
    text: 'このアドレスのリンクは存在しません。アドレスが正しく、最後まで入力されているかご確認ください。',
  },
  flagged: {
    title: 'このリンクはブロックされています',
    text: '有害なサイトや、個人情報を盗むおそれのあるサイトにつながるため、安全のため開くことができません。',
  },
  expired: {
    title: 'このリンクは期限切れです',
    text: 'このリンクは現在使われていません。送信元の方に新しいリンクをお問い合わせください。',
  },
  unavailable: {
    title: '少々お待ちください',
    text: '現在このリンクを開くことができません。数秒後にもう一度お試しください。',
  },
  password: {
    title: 'パスワードが必要です',
    text: 'このリンクは保護されています。続けるにはパスワードを入力してください。',
    label: 'パスワード',
    submit: '続ける',
    wrong: 'パスワードが正しくありません。もう一度お試しください。',
  },
  throttled: {
    title: '試行回数が多すぎます',
    text: (minutes) => `誤ったパスワードが何度も入力されました。約${minutes}分後にもう一度お試しください。`,
  },
  preview: {
    title: 'このリンクの移動先',
    shortUrl: '短縮リンク',
    leadsTo: '移動先',
    leadsToOneOf: '次のいずれかに移動します',
    mayVary: 'お使いの端末、言語、地域、時間帯によっては、別のページに移動することがあります。',
  },
  protectedPreview: {
    title: 'このリンクは保護されています',
    text: '移動先は、パスワードを知っている方だけが確認できます。',
  },
  openApp: {
    title: 'アプリで開く',
    open: 'アプリで開く',
    getFromAppStore: 'App Storeでアプリを入手',
    getFromGooglePlay: 'Google Playでアプリを入手',
    continueInBrowser: 'ブラウザで続ける',
    inAppHint:
      'このアプリの中からは、ほかのアプリへのリンクを開けません。メニューから、このページをブラウザで開いてください。',
  },
  home: {
    title: '短縮リンクとディープリンク',
    text: 'このサーバーは、運営者のためにリンクを管理しています。セルフホスト型のため、リンク、クリック、統計はすべてこのサーバーに保存されます。',
    features: {
      links: '訪問者を適切なページやアプリへ導く短縮リンクとディープリンク',
      attribution: 'アトリビューション：どのリンクがインストールや購入につながったか',
      api: 'すべての操作に対応した REST API と、機械で読み取れる仕様',
      webhooks: 'リンクやアプリの出来事を知らせる署名付き Webhook',
    },
    signIn: 'ログイン',
    signUp: 'アカウントを作成',
    noDashboard: 'ログインにはダッシュボードが必要ですが、このサーバーにはインストールされていません。',
    reference: 'REST API の仕様',
  },
};
