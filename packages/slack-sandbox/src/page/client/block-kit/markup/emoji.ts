import data from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' };

/**
 * Emoji names by code points: `{"1F44D": ["+1", "thumbsup"]}`. The data set from which Slack's
 * names come has the same form.
 */
const namesByCode: Readonly<Record<string, string | readonly string[]>> = data;

/** Returns the emoji character for a Slack name such as `tada` or `wave::skin-tone-2`. */
export const findEmoji = createEmojiFinder(namesByCode);

function createEmojiFinder(all: typeof namesByCode): (name: string) => string | undefined {
  let codes: ReadonlyMap<string, string> | undefined;

  return (name) => {
    codes ??= new Map(
      Object.entries(all).flatMap(([code, names]) => [names].flat().map((one) => [one, code])),
    );
    const [base = '', tone] = name.split('::skin-tone-');
    const code = codes.get(base);
    return code === undefined ? undefined : buildEmoji(code, tone);
  };
}

function buildEmoji(code: string, tone: string | undefined): string {
  const character = String.fromCodePoint(...code.split('-').map((part) => Number.parseInt(part, 16)));
  // Skin tone 2 of Slack is the first Fitzpatrick modifier.
  if (tone) return character.replace('\uFE0F', '') + String.fromCodePoint(0x1f3f9 + Number(tone));
  // A character that is shown as text by default needs a variation selector.
  return code.includes('-') || /^\p{Emoji_Presentation}/u.test(character) ? character : `${character}\uFE0F`;
}

/** Matches an emoji name between colons, with an optional skin tone. The first group is the name. */
export const emojiPattern = /:([a-z0-9_+'-]+(?:::skin-tone-[2-6])?):/;
