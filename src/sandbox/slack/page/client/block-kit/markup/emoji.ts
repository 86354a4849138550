import data from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' };

/** Names by code points, as the list that Slack's names come from has them: `{"1F44D": ["+1", "thumbsup"]}`. */
const namesByCode: Readonly<Record<string, string | readonly string[]>> = data;

/** Finds the character of an emoji by Slack's name for it, such as `tada` or `wave::skin-tone-2`. */
export const emojiNamed = createEmojiFinder(namesByCode);

function createEmojiFinder(all: typeof namesByCode): (name: string) => string | undefined {
  let codes: ReadonlyMap<string, string> | undefined;

  return (name) => {
    codes ??= new Map(
      Object.entries(all).flatMap(([code, names]) => [names].flat().map((one) => [one, code])),
    );
    const [base = '', tone] = name.split('::skin-tone-');
    const code = codes.get(base);
    return code === undefined ? undefined : characterOf(code, tone);
  };
}

function characterOf(code: string, tone: string | undefined): string {
  const character = String.fromCodePoint(...code.split('-').map((part) => Number.parseInt(part, 16)));
  // The Fitzpatrick modifiers begin with Slack's tone 2.
  if (tone) return character.replace('\uFE0F', '') + String.fromCodePoint(0x1f3f9 + Number(tone));
  // A character that is text by itself is told to be a picture.
  return code.includes('-') || /^\p{Emoji_Presentation}/u.test(character) ? character : `${character}\uFE0F`;
}

/** An emoji's name between colons, with or without a skin tone; the name is the first group. */
export const emojiCode = /:([a-z0-9_+'-]+(?:::skin-tone-[2-6])?):/;
