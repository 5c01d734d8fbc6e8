package dev.millrace.cli.services.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The sockets that a process listens on: known ports everywhere, all ports on Linux. */
final class ListeningSockets {
  private static final String LISTEN = "0A";
  private static final int LOCAL = 1;
  private static final int STATE = 3;
  private static final int INODE = 9;
  private static final int CONNECT_MS = 2_000;

  private ListeningSockets() {}

  /** The addresses of this machine that others can reach. */
  static List<InetAddress> addressesOfThisMachine() throws SocketException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(address -> !address.isLoopbackAddress())
        .toList();
  }

  static boolean isReachable(InetAddress address, int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(address, port), CONNECT_MS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * The local addresses other than loopback that the process and its descendants listen on, in the
   * kernel's hexadecimal: {@code 0100007F:1F90}. Empty where there is no {@code /proc}.
   */
  static List<String> beyondLoopback(ProcessHandle process) throws IOException {
    Path tables = Path.of("/proc", Long.toString(process.pid()), "net");
    if (!Files.isDirectory(tables)) {
      return List.of();
    }
    Set<String> inodes = new HashSet<>(inodes(process));
    for (ProcessHandle child : process.descendants().toList()) {
      inodes.addAll(inodes(child));
    }
    List<String> addresses = new ArrayList<>();
    for (String table : List.of("tcp", "tcp6")) {
      Path file = tables.resolve(table);
      for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
        String[] fields = line.strip().split("\\s+", -1);
        if (fields[STATE].equals(LISTEN) && inodes.contains(fields[INODE])) {
          addresses.add(fields[LOCAL]);
        }
      }
    }
    assertThat(addresses).as("server and engine").hasSizeGreaterThanOrEqualTo(2);
    addresses.removeIf(ListeningSockets::isLoopback);
    return addresses;
  }

  /** Whether that is 127.0.0.0/8, also written as IPv6, or ::1. */
  private static boolean isLoopback(String address) {
    return address.matches(
        "[0-9A-F]{6}7F:[0-9A-F]{4}"
            + "|0{16}FFFF0000[0-9A-F]{6}7F:[0-9A-F]{4}"
            + "|0{24}01000000:[0-9A-F]{4}");
  }

  private static Set<String> inodes(ProcessHandle process) throws IOException {
    Set<String> inodes = new HashSet<>();
    try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
      for (Path descriptor : open.toList()) {
        try {
          String target = Files.readSymbolicLink(descriptor).toString();
          if (target.startsWith("socket:[")) {
            inodes.add(target.substring("socket:[".length(), target.length() - 1));
          }
        } catch (IOException e) {
          // closed since it was listed
        }
      }
    }
    return inodes;
  }
}
