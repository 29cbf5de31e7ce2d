interface SwitchProps {
  /** The accessible name. */
  name: string;
  on: boolean;
  disabled?: boolean;
  change(on: boolean): void;
}

export function Switch({ name, on, disabled = false, change }: SwitchProps) {
  return (
    <input
      type="checkbox"
      role="switch"
      aria-checked={on}
      className="switch"
      aria-label={name}
      checked={on}
      disabled={disabled}
      onChange={(event) => change(event.currentTarget.checked)}
    />
  );
}
