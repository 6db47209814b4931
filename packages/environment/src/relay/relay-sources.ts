/**
 * Relay programs, one per interpreter. Each program listens on loopback ports and passes each connection to the Unix
 * socket of its port. Argument: each port followed by the path of its socket, separated by spaces. Each program prints
 * `ok` and closes its standard output when it listens, and runs until it is killed. Interpreters that start fast come
 * first.
 */
export const RELAY_SOURCES: Readonly<
  Record<"perl" | "python3" | "node", { readonly flag: string; readonly source: string }>
> = {
  perl: {
    flag: "-e",
    source: `use strict; use Socket; use Fcntl; my @pairs = split(' ', $ARGV[0]); my (%server, %path, %fh, %peer, %out, %eof, %shut);
$SIG{$_} = 'IGNORE' for qw(PIPE INT TERM HUP);
while (my ($port, $path) = splice(@pairs, 0, 2)) { socket(my $server, PF_INET, SOCK_STREAM, 0) or die;
  setsockopt($server, SOL_SOCKET, SO_REUSEADDR, 1); bind($server, sockaddr_in($port, INADDR_LOOPBACK)) or die;
  listen($server, 128) or die; $server{fileno($server)} = $server; $path{fileno($server)} = $path; }
syswrite(STDOUT, 'ok'); close(STDOUT);
sub drop { my ($n) = @_; for my $k ($n, $peer{$n}) { close($fh{$k}); } my $p = $peer{$n};
  delete @{$_}{$n, $p} for (\\%fh, \\%peer, \\%out, \\%eof, \\%shut); }
while (1) { my ($r, $w) = ('', ''); vec($r, $_, 1) = 1 for keys %server;
  for my $n (keys %fh) { vec($r, $n, 1) = 1 if !$eof{$n} && length($out{$peer{$n}}) < 65536; vec($w, $n, 1) = 1 if length($out{$n}); }
  next if select($r, $w, undef, undef) < 0;
  for my $n (keys %fh) { next unless exists $fh{$n}; my $p = $peer{$n};
    if (vec($w, $n, 1)) { my $c = syswrite($fh{$n}, $out{$n}); if (defined $c) { substr($out{$n}, 0, $c) = ''; } elsif (!$!{EAGAIN}) { drop($n); next; } }
    if (vec($r, $n, 1)) { my $c = sysread($fh{$n}, $out{$p}, 65536, length($out{$p})); if (!defined $c) { if (!$!{EAGAIN}) { drop($n); next; } } elsif ($c == 0) { $eof{$n} = 1; } }
    for my $k ($n, $p) { if ($eof{$k} && !length($out{$peer{$k}}) && !$shut{$k}) { $shut{$k} = 1; shutdown($fh{$peer{$k}}, 1); } }
    drop($n) if $shut{$n} && $shut{$p}; }
  for my $s (grep { vec($r, $_, 1) } keys %server) { if (accept(my $c, $server{$s})) { setsockopt($c, 6, 1, 1); socket(my $u, PF_UNIX, SOCK_STREAM, 0);
    if (connect($u, sockaddr_un($path{$s}))) { for my $s ($c, $u) { fcntl($s, F_SETFL, O_NONBLOCK); $fh{fileno($s)} = $s; $out{fileno($s)} = ''; }
      $peer{fileno($c)} = fileno($u); $peer{fileno($u)} = fileno($c); } } } }`,
  },
  python3: {
    flag: "-c",
    source: `import os, signal, socket, sys, threading
for name in ("SIGINT", "SIGTERM", "SIGHUP"): signal.signal(getattr(signal, name), signal.SIG_IGN)
def copy(source, target):
    try:
        while True:
            data = source.recv(65536)
            if not data: break
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        for end in (source, target):
            try: end.shutdown(socket.SHUT_RDWR)
            except OSError: pass
def serve(client, path):
    upstream = socket.socket(socket.AF_UNIX); client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with client, upstream:
        try: upstream.connect(path)
        except OSError: return
        back = threading.Thread(target=copy, args=(upstream, client), daemon=True)
        back.start(); copy(client, upstream); back.join()
def listen(server, path):
    while True: threading.Thread(target=serve, args=(server.accept()[0], path), daemon=True).start()
words = sys.argv[1].split(); listeners = []
for port, path in zip(words[::2], words[1::2]):
    server = socket.socket(); server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind(("127.0.0.1", int(port))); server.listen(128)
    listeners.append(threading.Thread(target=listen, args=(server, path)))
for listener in listeners: listener.start()
os.write(1, b"ok"); os.close(1)`,
  },
  node: {
    flag: "-e",
    source: `const net = require("node:net"), fs = require("node:fs"); const words = process.argv[1].split(" "); let waiting = words.length / 2;
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, () => {});
for (let index = 0; index < words.length; index += 2) { const path = words[index + 1];
net.createServer({ allowHalfOpen: true, noDelay: true }, (client) => { const upstream = net.connect({ path, allowHalfOpen: true });
  client.on("error", () => upstream.destroy()).pipe(upstream).on("error", () => client.destroy()).pipe(client);
}).listen(Number(words[index]), "127.0.0.1", () => { if (--waiting > 0) return; process.stdout; fs.writeSync(1, "ok"); fs.closeSync(1); fs.openSync("/dev/null", "w"); }); }`,
  },
};

/** Interpreter that can run the relay, a program that passes connections out of an environment. */
export type RelayInterpreter = keyof typeof RELAY_SOURCES;

/** Interpreters in the order in which they are tried. */
export const RELAY_INTERPRETERS: readonly RelayInterpreter[] = ["perl", "python3", "node"];
