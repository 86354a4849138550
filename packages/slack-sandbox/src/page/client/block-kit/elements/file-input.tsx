import type { FileInput } from '@slack/types';
import { type ReactNode, useState } from 'react';
import { useSurface } from '../surface.ts';
import { controlProps, type ElementProps } from './element-props.ts';
import { useElement } from './use-element.tsx';

const defaultMaxFiles = 10;

/** A field for files. Another choice replaces the files that were chosen before. */
export function FileInputView({ element, blockId, input }: ElementProps<FileInput>): ReactNode {
  const { upload } = useSurface();
  const { state, select, feedback } = useElement({ element, blockId, input });
  const [problem, setProblem] = useState<string>();
  const accept = element.filetypes?.map((type) => `.${type}`).join(',');
  const [files, setFiles] = useState<readonly { readonly name: string }[]>(
    Array.isArray(state?.files) ? state.files : [],
  );

  async function choose(chosen: readonly File[]) {
    setProblem(undefined);
    try {
      const uploaded = await Promise.all(chosen.map(upload));
      setFiles(uploaded);
      await select({ value: uploaded.map(({ id }) => id), state: { type: 'file_input', files: uploaded } });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  }

  return (
    <span className="kit-element">
      <input
        {...controlProps(input, 'File')}
        type="file"
        className="kit-field"
        accept={accept}
        multiple={(element.max_files ?? defaultMaxFiles) > 1}
        onChange={({ target }) => void choose([...(target.files ?? [])])}
      />
      {files.length > 0 && <small className="kit-note">{files.map(({ name }) => name).join(', ')}</small>}
      {problem !== undefined && (
        <span className="kit-problem" role="alert">
          {problem}
        </span>
      )}
      {feedback}
    </span>
  );
}
