// stores: none
import { expect } from 'chai';
import { decodePage, readPage } from '../../../src/links/decidePage.ts';

const URL = 'https://www.example.com/a/page';
const read = (html: string) => readPage(html, URL);
const titleOf = (html: string) => read(html).title;

describe('what a page says about itself', () => {
  it('is that of its card, else of the page itself', () => {
    const html = `<!doctype html><html><head><meta charset=utf-8><title>Page &amp; site</title>
      <meta name="description" content="Plain text"><meta property="og:description" content='For cards'>
      <meta property="og:site_name" content="Example"><meta content="/card.png" property="og:image"></head>`;
    expect(read(html)).to.deep.equal({
      title: 'Page & site',
      description: 'For cards',
      siteName: 'Example',
      imageUrl: 'https://www.example.com/card.png',
    });
    expect(titleOf(`${html.slice(0, -7)}<META PROPERTY = 'OG:Title' CONTENT = Card></head>`)).to.equal('Card');
    expect(read('')).to.deep.equal({ title: null, description: null, siteName: null, imageUrl: null });
  });

  const titles: [html: string, title: string | null][] = [
    ['<title>\n  Two\t words </title>', 'Two words'],
    [
      '<title>a &lt;b&gt; &#x27;c&#39; &eacute;&nbsp;&unknown; &#0; &#x110000;</title>',
      `a <b> 'c' é &unknown; \ufffd \ufffd`,
    ],
    ['<title><script>alert(1)</script></title>', '<script>alert(1)</script>'],
    ['<!-- <title>no</title> --><title>yes</title>', 'yes'],
    ['<script>"<title>no</title>"</script><svg><title>no</title></svg><title>yes</title>', 'yes'],
    ['<title></title><title>second</title>', 'second'],
    ['<title>first</title><title>second</title>', 'first'],
    ['<head></head><body><title>no</title>', null],
    ['<title>never closed', 'never closed'],
    ['<!-- never closed <title>no</title>', null],
    ['<meta name="og:title" content="first"><meta property="og:title" content="second">', 'first'],
    ['<meta property="og:title" content="  "><title>page</title>', 'page'],
    ['<meta property="og:title" content="a > b"><title>page</title>', 'a > b'],
    ['<title>\u202egnp.exe\u0007</title>', 'gnp.exe'],
    ['<title>\ud800</title>', '\ufffd'],
    ['<<<title>x</title>', 'x'],
    ['< title>no</title>', null],
  ];
  for (const [html, title] of titles) it(`${html} has the title ${title}`, () => expect(titleOf(html)).to.equal(title));

  it('is cut to what a link can have', () => {
    const { title, description } = read(
      `<title>${'t'.repeat(299)}😀😀</title><meta name=description content="${'d'.repeat(5000)}">`,
    );
    expect(title).to.equal(`${'t'.repeat(299)}…`);
    expect(description).to.have.length(1000);
  });

  it('has a picture only at a web address', () => {
    const pictureOf = (content: string) => read(`<meta property="og:image" content="${content}">`).imageUrl;
    expect(pictureOf('//cdn.example.com/x')).to.equal('https://cdn.example.com/x');
    for (const url of ['javascript:alert(1)', 'data:image/png;base64,AA', 'file:///etc/passwd', 'http://[']) {
      expect(pictureOf(url), url).to.equal(null);
    }
  });

  it('is found in a time that grows with the length alone', () => {
    const started = performance.now();
    for (const part of [
      '<',
      '<!--',
      '<title',
      '<meta a="',
      '<meta a=\' b="',
      '<meta a ',
      '<script>',
      '</',
      '<meta    ',
      '&',
    ]) {
      read(part.repeat(1_000_000 / part.length));
    }
    // Ten megabytes; quadratic work would take minutes.
    expect(performance.now() - started).to.be.below(10_000);
  });
});

describe('the charset of a page', () => {
  const latin1 = (text: string) => Buffer.from(text, 'latin1');
  const pages: [bytes: Buffer, contentType: string | undefined, text: string][] = [
    [Buffer.from('é'), 'text/html', 'é'],
    [latin1('é'), 'text/html; charset="ISO-8859-1"', 'é'],
    [latin1('<meta charset=windows-1252>é'), 'text/html', '<meta charset=windows-1252>é'],
    [
      latin1('<meta http-equiv=x content="text/html; charset=latin1">é'),
      undefined,
      '<meta http-equiv=x content="text/html; charset=latin1">é',
    ],
    [Buffer.from('\ufeffé'), 'text/html; charset=latin1', 'é'],
    [Buffer.from('\ufeffé', 'utf16le'), 'text/html', 'é'],
    [Buffer.from('<meta charset=utf-16>é'), 'text/html', '<meta charset=utf-16>é'],
    [Buffer.from('é'), 'text/html; charset=klingon', 'é'],
    [latin1('é'), 'text/html; charset=utf-8', '\ufffd'],
  ];
  for (const [bytes, contentType, text] of pages) {
    it(`${bytes.toString('latin1')} as ${contentType} is ${text}`, () =>
      expect(decodePage(bytes, contentType)).to.equal(text));
  }
});
