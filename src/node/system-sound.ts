/** Plays the system's own message sound with a program of the system. VS Code lets no extension play one. */
import { spawn } from "node:child_process";
import { systemProgram } from "./find-programs.ts";

/** Each with the name of a program, and its arguments. The first one that is installed plays. */
const PLAYERS: Partial<Record<NodeJS.Platform, readonly (readonly [string, ...string[]])[]>> = {
  darwin: [["afplay", "/System/Library/Sounds/Glass.aiff"]],
  win32: [["rundll32", "user32.dll,MessageBeep"]],
  linux: [
    ["canberra-gtk-play", "-i", "message"],
    ["pw-play", "/usr/share/sounds/freedesktop/stereo/message.oga"],
    ["paplay", "/usr/share/sounds/freedesktop/stereo/message.oga"],
  ],
};

/** What plays the sound here; undefined: nothing is installed that can. */
export function soundPlayer(
  platform: NodeJS.Platform = process.platform,
  find: (name: string) => string | undefined = systemProgram,
): { file: string; args: string[] } | undefined {
  for (const [name, ...args] of PLAYERS[platform] ?? []) {
    const file = find(name);
    if (file !== undefined) return { file, args };
  }
  return undefined;
}

/** Does not wait. `failed` is called if no sound can be played. */
export function playSystemSound(failed: (why: string) => void): void {
  const player = soundPlayer();
  if (!player) {
    failed("no program that plays sounds is installed");
    return;
  }
  const child = spawn(player.file, player.args, { stdio: "ignore", windowsHide: true });
  child.on("error", (error) => failed(error.message));
  child.unref();
}
