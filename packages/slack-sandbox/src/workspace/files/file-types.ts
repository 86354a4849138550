/** Slack's type for a file. */
export interface FileType {
  readonly mimetype: string;
  readonly filetype: string;
  readonly prettyType: string;
  /** Whether an image block can show such a file. */
  readonly isImage: boolean;
}

const imageType = (filetype: string, mimetype: string, prettyType: string): FileType => ({
  mimetype,
  filetype,
  prettyType,
  isImage: true,
});

const documentType = (filetype: string, mimetype: string, prettyType: string): FileType => ({
  mimetype,
  filetype,
  prettyType,
  isImage: false,
});

/** Images are detected by their first bytes, whatever their name is. */
const signatures: readonly (readonly [readonly number[], FileType])[] = [
  [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], imageType('png', 'image/png', 'PNG')],
  [[0xff, 0xd8, 0xff], imageType('jpg', 'image/jpeg', 'JPEG')],
  [[0x47, 0x49, 0x46, 0x38], imageType('gif', 'image/gif', 'GIF')],
];

const extensions: Readonly<Record<string, FileType>> = {
  csv: documentType('csv', 'text/csv', 'CSV'),
  json: documentType('json', 'application/json', 'JSON'),
  log: documentType('text', 'text/plain', 'Plain Text'),
  md: documentType('markdown', 'text/markdown', 'Markdown'),
  pdf: documentType('pdf', 'application/pdf', 'PDF'),
  svg: documentType('svg', 'image/svg+xml', 'SVG'),
  txt: documentType('text', 'text/plain', 'Plain Text'),
};

const unknownType = documentType('binary', 'application/octet-stream', 'Binary');

/** Detects a file's type by its first bytes. If they don't reveal it, decides by the name. */
export function detectFileType(name: string, bytes: Uint8Array): FileType {
  const known = signatures.find(([start]) => start.every((byte, index) => bytes[index] === byte));
  return known?.[1] ?? extensions[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? unknownType;
}
