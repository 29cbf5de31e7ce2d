/**
 * System calls that commands in the sandbox cannot make, as a filter for seccomp (linux/filter.h, linux/seccomp.h, seccomp(2)): ways
 * to programs outside that no namespace closes.
 */
import { endianness } from "node:os";
import type { SandboxPlace } from "../../core/ports/sandbox.ts";

interface Machine {
  /** AUDIT_ARCH_* of linux/audit.h. */
  audit: number;
  ioctl: number;
  socket: number;
  socketpair: number;
  /** add_key, request_key, keyctl: the keys of the kernel belong to the user, not to the namespace. */
  keys: readonly number[];
}

/** Numbers of asm/unistd_64.h and asm-generic/unistd.h. */
const MACHINES: Readonly<Partial<Record<NodeJS.Architecture, Machine>>> = {
  x64: { audit: 0xc000003e, ioctl: 16, socket: 41, socketpair: 53, keys: [248, 249, 250] },
  arm64: { audit: 0xc00000b7, ioctl: 29, socket: 198, socketpair: 199, keys: [217, 218, 219] },
};

/** io_uring_setup, the same everywhere: what is submitted there passes no filter. */
const IO_URING_SETUP = 425;
/** Bit of system calls of the x32 ABI, which have other numbers. */
const X32 = 0x40000000;
/** Connections between a virtual machine and its host. */
const AF_VSOCK = 40;
/**
 * AF_INET, AF_INET6 and AF_NETLINK, which tells the own addresses. Not AF_UNIX: sockets with names of the kernel's belong to the network,
 * so that a command with network would reach the screen and the session bus, by which anything can be started.
 */
const NETWORK_FAMILIES = [2, 10, 16];
/** SOCK_STREAM and SOCK_SEQPACKET: only another kind of socket can send to others than its pair. */
const PAIRED_TYPES = [1, 5];
/** The bits of a socket's type without its flags. */
const TYPE = 0xf;
/** Types into the terminal for whoever reads it next. */
const TIOCSTI = 0x5412;

const EPERM = 1;
const ENOSYS = 38;

const LOAD = 0x20;
const AND = 0x54;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_GREATER_OR_EQUAL = 0x35;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const error = (number: number) => 0x00050000 | number;

/** Offsets in `struct seccomp_data`. The lower halves of arguments are enough for what is compared. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const argument = (index: number) => 16 + 8 * index;

interface Limit {
  index: number;
  mask: number;
  values: readonly number[];
}

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/** `network`: of the command. undefined: the numbers of this machine are not known. */
export function systemCallFilter(
  { network }: Pick<SandboxPlace, "network">,
  architecture: NodeJS.Architecture = process.arch,
): Buffer | undefined {
  const machine = MACHINES[architecture];
  if (machine === undefined || endianness() !== "LE") return undefined;
  /** Returns `result` if the system call is this one, with this argument if one is named. */
  const refuse = (call: number, result: number, having?: { index: number; value: number }): Instruction[] =>
    having === undefined
      ? [
          [JUMP_IF_EQUAL, 0, 1, call],
          [RETURN, 0, 0, result],
        ]
      : [
          [JUMP_IF_EQUAL, 0, 4, call],
          [LOAD, 0, 0, argument(having.index)],
          [JUMP_IF_EQUAL, 0, 1, having.value],
          [RETURN, 0, 0, result],
          [LOAD, 0, 0, NUMBER],
        ];
  /** Refuses the system call unless this argument, with this mask, is one of `values`. */
  const limit = (call: number, { index, mask, values }: Limit): Instruction[] => [
    [JUMP_IF_EQUAL, 0, values.length + 4, call],
    [LOAD, 0, 0, argument(index)],
    [AND, 0, 0, mask],
    ...values.map((value, at): Instruction => [JUMP_IF_EQUAL, values.length - at, 0, value]),
    [RETURN, 0, 0, error(EPERM)],
    [LOAD, 0, 0, NUMBER],
  ];
  const sockets = network
    ? [
        ...limit(machine.socket, { index: 0, mask: 0xffffffff, values: NETWORK_FAMILIES }),
        ...limit(machine.socketpair, { index: 1, mask: TYPE, values: PAIRED_TYPES }),
      ]
    : refuse(machine.socket, error(EPERM), { index: 0, value: AF_VSOCK });
  const program: Instruction[] = [
    [LOAD, 0, 0, ARCHITECTURE],
    [JUMP_IF_EQUAL, 1, 0, machine.audit],
    [RETURN, 0, 0, error(ENOSYS)],
    [LOAD, 0, 0, NUMBER],
    [JUMP_IF_GREATER_OR_EQUAL, 0, 1, X32],
    [RETURN, 0, 0, error(ENOSYS)],
    ...machine.keys.flatMap((call) => refuse(call, error(EPERM))),
    ...refuse(IO_URING_SETUP, error(ENOSYS)),
    ...sockets,
    ...refuse(machine.ioctl, error(EPERM), { index: 1, value: TIOCSTI }),
    [RETURN, 0, 0, ALLOW],
  ];
  const filter = Buffer.alloc(8 * program.length);
  for (const [at, [code, ifTrue, ifFalse, value]] of program.entries()) {
    filter.writeUInt16LE(code, 8 * at);
    filter.writeUInt8(ifTrue, 8 * at + 2);
    filter.writeUInt8(ifFalse, 8 * at + 3);
    filter.writeUInt32LE(value, 8 * at + 4);
  }
  return filter;
}
