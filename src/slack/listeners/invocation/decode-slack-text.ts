// Slack encodes what a person types: hosts become links, people and channels become IDs, and quotes
// become curly.

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Matches `<http://web.example.com|web.example.com>`, `<@U0ALICE|alice>`, `<#C0OPS|ops>` and `<!channel>`. */
const reference = /<([^<>|]*)(?:\|([^<>]*))?>/g;

/** Matches direction marks and joiners, which only change how text looks. */
const invisible = /[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u00AD]/g;

/** Returns the text as the person typed it. */
export function decodeSlackText(text: string): string {
  return text
    .replace(reference, (_, target: string, label: string | undefined) => decodeReference(target, label))
    .replace(/&(amp|lt|gt);/g, (entity) => entities[entity] ?? entity)
    .replace(invisible, '')
    .replace(/[“”„‟«»]/g, '"')
    .replace(/[‘’‚‛]/g, "'")
    .replace(/(?<=^|\s)(?:—(?=\S)|–(?=\p{L}))/gu, '--')
    .replace(/[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g, ' ')
    .trim();
}

/** Replaces a link with its label. People, groups and channels become IDs. */
function decodeReference(target: string, label: string | undefined): string {
  if (/^[@#]/.test(target)) return target;
  if (target.startsWith('!subteam^')) return target.slice('!subteam^'.length);
  if (target.startsWith('!')) return `@${target.slice(1)}`;
  return label ?? target.replace(/^mailto:/, '');
}
