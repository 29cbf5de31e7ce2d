import type { FormAnswer } from "../../src/shared/server-form.ts";
import { usePanel } from "../panel.ts";
import { Button } from "../toolkit/button.tsx";

interface Props {
  disabled: boolean;
  answer(reply: FormAnswer): Promise<void>;
}

/** The buttons that decline a server's question. */
export function Refusals({ disabled, answer }: Props) {
  const { t } = usePanel();
  return (
    <>
      <Button testId="form-decline" disabled={disabled} onPress={() => void answer({ action: "decline" })}>
        {t("Decline")}
      </Button>
      <Button testId="form-cancel" disabled={disabled} onPress={() => void answer({ action: "cancel" })}>
        {t("Cancel")}
      </Button>
    </>
  );
}
