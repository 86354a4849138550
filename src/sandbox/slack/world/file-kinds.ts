/** What Slack says a file is. */
export interface FileKind {
  readonly mimetype: string;
  readonly filetype: string;
  readonly prettyType: string;
  /** Whether an image block can show it. */
  readonly isImage: boolean;
}

const image = (filetype: string, mimetype: string, prettyType: string): FileKind => ({
  mimetype,
  filetype,
  prettyType,
  isImage: true,
});

const other = (filetype: string, mimetype: string, prettyType: string): FileKind => ({
  mimetype,
  filetype,
  prettyType,
  isImage: false,
});

/** Pictures are known by their first bytes, whatever they are called. */
const signatures: readonly (readonly [readonly number[], FileKind])[] = [
  [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], image('png', 'image/png', 'PNG')],
  [[0xff, 0xd8, 0xff], image('jpg', 'image/jpeg', 'JPEG')],
  [[0x47, 0x49, 0x46, 0x38], image('gif', 'image/gif', 'GIF')],
];

const extensions: Readonly<Record<string, FileKind>> = {
  csv: other('csv', 'text/csv', 'CSV'),
  json: other('json', 'application/json', 'JSON'),
  log: other('text', 'text/plain', 'Plain Text'),
  md: other('markdown', 'text/markdown', 'Markdown'),
  pdf: other('pdf', 'application/pdf', 'PDF'),
  svg: other('svg', 'image/svg+xml', 'SVG'),
  txt: other('text', 'text/plain', 'Plain Text'),
};

const unknown = other('binary', 'application/octet-stream', 'Binary');

/** Tells what a file is by its first bytes, else by its name. */
export function kindOfFile(name: string, bytes: Uint8Array): FileKind {
  const known = signatures.find(([start]) => start.every((byte, index) => bytes[index] === byte));
  return known?.[1] ?? extensions[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? unknown;
}
