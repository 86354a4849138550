// What a person types arrives encoded: hosts and addresses as links, people and channels as ids, quotes curly.

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** `<http://web.example.com|web.example.com>`, `<@U0ALICE|alice>`, `<#C0OPS|ops>`, `<!channel>`. */
const reference = /<([^<>|]*)(?:\|([^<>]*))?>/g;

/** Marks of direction and joiners, which change how text looks but not what it says. */
const invisible = /[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u00AD]/g;

/** Turns what Slack delivers into the words that the person typed. */
export function decodeTyped(text: string): string {
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

/** A link is what was typed, its label; people, groups and channels stay ids, which are what is meant. */
function decodeReference(target: string, label: string | undefined): string {
  if (/^[@#]/.test(target)) return target;
  if (target.startsWith('!subteam^')) return target.slice('!subteam^'.length);
  if (target.startsWith('!')) return `@${target.slice(1)}`;
  return label ?? target.replace(/^mailto:/, '');
}
