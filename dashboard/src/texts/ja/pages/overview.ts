import type { PageTexts } from '../../Texts.ts';

export const texts: PageTexts['overview'] = {
  title: '概要',
  steps: {
    title: 'はじめに',
    done: (done, all) => `${all} 件中 ${done} 件完了`,
    allDone: 'すべて完了しました',
    dismiss: '非表示にする',
    isDone: '完了',
    isOpen: '未完了',
    next: (step) => `次へ：${step}`,
    create: {
      title: '短縮リンクを作成',
      about: '短縮する URL を貼り付けてください。',
      label: '短縮する URL',
      action: '短縮',
    },
    open: {
      title: 'リンクを開く',
      noLink: '先に短縮リンクを作成してください。',
      about:
        'スマートフォンで QR コードを読み取るか、ここでリンクを開いてください。クリックは 2 秒以内に下に表示されます。',
      aboutHere:
        'ここでリンクを開いてください。クリックは 2 秒以内に下に表示されます。スマートフォンからは localhost に接続できません。QR コードを試すには、スマートフォンから接続できるアドレスを BASE_URL に設定してください。',
      action: 'リンクを開く',
      waiting: '最初のクリックを待っています…',
      seen: '最初のクリックを受信しました。',
      arrived: (kind) => `クリックを受信しました：${kind}。`,
      person: 'ブラウザで開かれ、ボットと疑われる点はありません。',
      notCounted: 'このようなクリックは記録されますが、人間のクリックには数えません。',
    },
    webhook: {
      title: 'Webhook を追加',
      about: 'Webhook は、すべてのクリックと変更を署名付きリクエストでサーバーに送信します。',
      noServer: (address) =>
        `サーバーがまだない場合は、ターミナルで次のコマンドを実行し、${address} を指定してください：`,
      language: '言語',
      receiver: 'レシーバー',
      url: 'エンドポイント URL',
      action: 'Webhook を追加',
      created: 'Webhook を追加しました。テストイベントを送信して、リクエストとレスポンスを確認してください。',
      exists: '登録済みの Webhook：',
      hide: 'シークレットを隠す',
      privateRefused:
        'このサービスは localhost などのプライベートアドレスに送信しません。運用者は ALLOW_PRIVATE_TARGETS=true を設定して許可できます。',
    },
    api: {
      title: 'API を呼び出す',
      about: 'API キーを作成し、ターミナルからリンクを作成してみましょう。',
      action: 'API キーを作成',
      keyName: 'はじめに',
      key: 'API キー',
      fileName: 'svc-key.txt',
      command: 'curl コマンド',
      stored: 'キーを隠す',
      waiting: 'シークレットキーを使った最初のリクエストを待っています…',
      used: '最初の API リクエストを受信しました。',
    },
    own: {
      title: '独自のドメインやアプリを使う',
      about:
        '短縮リンクに独自ドメインを使ったり、リンクからアプリを開いたりできます。前のステップのキーでドメインを設定するには：',
      domain: 'ドメインを追加するコマンド',
      reference: 'API リファレンス（OpenAPI）',
    },
    import: '既存のリンクをインポート',
  },
  figures: {
    clicks: 'クリック',
    visitors: '訪問者',
    days: '過去 7 日間',
    before: (change, dates) => `${change}（${dates} 比）`,
    noBefore: (dates) => `${dates} はなし`,
  },
  top: { title: '上位リンク（過去 7 日間）', empty: '過去 7 日間のクリックはありません。' },
  newest: { title: '新着リンク', empty: 'リンクはまだありません。' },
  attention: {
    title: '要対応',
    none: '問題はありません。',
    alerts: (count) => `未対応のアラート ${count} 件`,
    off: (url) => `Webhook が無効です：${url}`,
    held: (url) => `エンドポイントの障害により配信を保留中です：${url}`,
    health: 'このプロジェクトでヘルスチェックが失敗しています',
  },
};
