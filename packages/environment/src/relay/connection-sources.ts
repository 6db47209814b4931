import type { RelayInterpreter } from "./relay-sources.ts";

/** A program that relays connections over its standard streams, for one interpreter. */
interface ConnectionSource {
  /** Option with which the interpreter receives code as an argument, for example `-e`. */
  readonly flag: string;
  /** Code that succeeds if the interpreter has the modules that the program needs. */
  readonly probe: string;
  readonly source: string;
}

/**
 * Relay programs, one per interpreter. Each program listens on a free loopback port and carries the connections of this
 * port over standard input and output. Arguments: the window of a connection in bytes, and the maximum number of
 * connections. `connection-frame.ts` describes the frames. Each program ends when its input ends.
 *
 * The program in Perl must not make standard output non-blocking, because other processes may share it. It writes at
 * most 4,096 bytes when `select` reports room, which never blocks.
 */
export const CONNECTION_SOURCES: Readonly<Record<RelayInterpreter, ConnectionSource>> = {
  perl: {
    flag: "-e",
    probe: "use Socket; use Fcntl;",
    source: `use strict; use Socket; use Fcntl; my ($window, $most) = @ARGV; my ($in, $to, $last) = ('', '', 0);
my (%fh, %out, %credit, %eof, %fin, %shut); $SIG{PIPE} = 'IGNORE'; binmode(STDIN); binmode(STDOUT);
sub frame { my ($kind, $id, $data) = @_; $to .= pack('a1 V V', $kind, $id, length($data)) . $data; }
sub drop { my ($id) = @_; close($fh{$id}); delete $_->{$id} for (\\%fh, \\%out, \\%credit, \\%eof, \\%fin, \\%shut); frame('c', $id, ''); }
socket(my $server, PF_INET, SOCK_STREAM, 0) or die; bind($server, sockaddr_in(0, INADDR_LOOPBACK)) or die;
listen($server, 128) or die; my $listening = fileno($server); frame('r', 0, (sockaddr_in(getsockname($server)))[0]);
while (1) { my ($r, $w) = ('', ''); vec($r, 0, 1) = 1; vec($w, 1, 1) = 1 if length($to); vec($r, $listening, 1) = 1 if keys(%fh) < $most;
  for my $id (keys %fh) { my $n = fileno($fh{$id}); vec($w, $n, 1) = 1 if length($out{$id});
    vec($r, $n, 1) = 1 if !$eof{$id} && $credit{$id} > 0 && length($to) < 65536; }
  next if select($r, $w, undef, undef) < 0;
  if (vec($w, 1, 1)) { my $c = syswrite(STDOUT, $to, 4096); exit if !defined $c; substr($to, 0, $c) = ''; }
  if (vec($r, 0, 1)) { exit if !sysread(STDIN, $in, 65536, length($in));
    while (length($in) >= 9) { my ($kind, $id, $size) = unpack('a1 V V', $in); last if length($in) < 9 + $size;
      my $data = substr($in, 9, $size); substr($in, 0, 9 + $size) = ''; next if !$fh{$id};
      if ($kind eq 'd') { $out{$id} .= $data; } elsif ($kind eq 'w') { $credit{$id} += $data; }
      elsif ($kind eq 'e') { $fin{$id} = 1; } elsif ($kind eq 'c') { $eof{$id} = $fin{$id} = 1; } } }
  for my $id (keys %fh) { my $s = $fh{$id}; my $n = fileno($s);
    if (length($out{$id}) && vec($w, $n, 1)) { my $c = syswrite($s, $out{$id});
      if (defined $c) { substr($out{$id}, 0, $c) = ''; frame('w', $id, $c); } elsif (!$!{EAGAIN}) { drop($id); next; } }
    if (!$eof{$id} && vec($r, $n, 1)) { my $c = sysread($s, my $data, $credit{$id} < 32768 ? $credit{$id} : 32768);
      if ($c) { $credit{$id} -= $c; frame('d', $id, $data); } elsif (defined $c) { $eof{$id} = 1; frame('e', $id, ''); }
      elsif (!$!{EAGAIN}) { drop($id); next; } }
    if ($fin{$id} && !length($out{$id}) && !$shut{$id}) { $shut{$id} = 1; shutdown($s, 1); }
    drop($id) if $shut{$id} && $eof{$id}; }
  if (vec($r, $listening, 1) && accept(my $c, $server)) { my $id = ++$last; fcntl($c, F_SETFL, O_NONBLOCK); setsockopt($c, 6, 1, 1);
    $fh{$id} = $c; $out{$id} = ''; $credit{$id} = $window; frame('o', $id, ''); } }`,
  },
  python3: {
    flag: "-c",
    probe: "import socket, threading",
    source: `import os, socket, sys, threading
window, slots = int(sys.argv[1]), threading.Semaphore(int(sys.argv[2])); lock = threading.Lock(); connections = {}
def frame(kind, number, data=b""):
    data = kind + number.to_bytes(4, "little") + len(data).to_bytes(4, "little") + data
    with lock:
        try:
            while data: data = data[os.write(1, data):]
        except OSError: os._exit(0)
class Connection:
    def __init__(self, number, client):
        self.number, self.client, self.turn = number, client, threading.Condition()
        self.credit, self.out, self.ended, self.closing = window, [], False, False
    def change(self, credit=0, data=()):
        with self.turn: self.credit += credit; self.out.extend(data); self.turn.notify_all()
    def close(self):
        with self.turn: self.closing = True; self.out.append(None); self.turn.notify_all()
        try: self.client.shutdown(socket.SHUT_RD)
        except OSError: pass
    def end(self):
        with self.turn: self.ended = True; self.turn.notify_all()
        try: self.client.shutdown(socket.SHUT_RDWR)
        except OSError: pass
    def read(self):
        try:
            while True:
                with self.turn:
                    self.turn.wait_for(lambda: self.credit > 0 or self.ended or self.closing)
                    if self.ended or self.closing: return
                    size = min(self.credit, 32768)
                data = self.client.recv(size)
                if not data: break
                self.change(-len(data)); frame(b"d", self.number, data)
            frame(b"e", self.number)
        except OSError: self.end()
    def write(self):
        try:
            while True:
                with self.turn:
                    self.turn.wait_for(lambda: self.out or self.ended)
                    if self.ended: return
                    data = self.out.pop(0)
                if data is None: return self.client.shutdown(socket.SHUT_WR)
                self.client.sendall(data); frame(b"w", self.number, str(len(data)).encode())
        except OSError: self.end()
    def run(self):
        reader = threading.Thread(target=self.read, daemon=True); reader.start(); self.write(); reader.join()
        del connections[self.number]; self.client.close(); frame(b"c", self.number); slots.release()
def listen(server):
    number = 0
    while True:
        slots.acquire(); client = server.accept()[0]; client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        number += 1; connections[number] = Connection(number, client); frame(b"o", number)
        threading.Thread(target=connections[number].run, daemon=True).start()
def take(size):
    data = b""
    while len(data) < size:
        more = os.read(0, size - len(data))
        if not more: os._exit(0)
        data += more
    return data
server = socket.socket(); server.bind(("127.0.0.1", 0)); server.listen(128)
frame(b"r", 0, str(server.getsockname()[1]).encode()); threading.Thread(target=listen, args=(server,), daemon=True).start()
while True:
    head = take(9); data = take(int.from_bytes(head[5:9], "little")); connection = connections.get(int.from_bytes(head[1:5], "little"))
    if connection is None: continue
    if head[:1] == b"d": connection.change(data=[data])
    elif head[:1] == b"w": connection.change(int(data))
    elif head[:1] == b"e": connection.change(data=[None])
    elif head[:1] == b"c": connection.close()`,
  },
  node: {
    flag: "-e",
    probe: "",
    source: `const net = require("node:net"), [, window, most] = process.argv.map(Number), connections = new Map(); let last = 0, input = Buffer.alloc(0);
const frame = (kind, id, data = "") => { const body = Buffer.from(data), head = Buffer.alloc(9); head.write(kind, 0, 1, "latin1");
  head.writeUInt32LE(id, 1); head.writeUInt32LE(body.length, 5); process.stdout.write(Buffer.concat([head, body])); };
const server = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) => { const id = ++last; let credit = window;
  const pump = () => { for (let size; (size = Math.min(credit, 32768, socket.readableLength)) > 0; ) { credit -= size; frame("d", id, socket.read(size)); }
    if (socket.readableLength === 0) socket.read(0); };
  connections.set(id, { socket, grant(count) { credit += count; pump(); } }); frame("o", id);
  socket.on("readable", pump).on("end", () => frame("e", id)).on("error", () => {}).on("close", () => { connections.delete(id); frame("c", id); }); });
server.maxConnections = most; server.listen(0, "127.0.0.1", () => frame("r", 0, String(server.address().port)));
process.stdout.on("error", () => process.exit());
process.stdin.on("error", () => process.exit()).on("end", () => process.exit()).on("data", (chunk) => { input = Buffer.concat([input, chunk]);
  for (let end; input.length >= 9 && input.length >= (end = 9 + input.readUInt32LE(5)); input = input.subarray(end)) {
    const kind = String.fromCharCode(input[0]), id = input.readUInt32LE(1), data = Buffer.from(input.subarray(9, end)), { socket, grant } = connections.get(id) ?? {};
    if (socket === undefined) continue;
    if (kind === "d") socket.write(data, (error) => error || frame("w", id, String(data.length)));
    else if (kind === "w") grant(Number(data)); else if (kind === "e") socket.end(); else if (kind === "c") socket.destroySoon(); } });`,
  },
};
