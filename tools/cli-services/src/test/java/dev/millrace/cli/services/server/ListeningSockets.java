package dev.millrace.cli.services.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The TCP sockets that a process and its descendants listen on, as Linux tells them. */
final class ListeningSockets {
  private static final String LISTEN = "0A";
  private static final int LOCAL = 1;
  private static final int STATE = 3;
  private static final int INODE = 9;

  private ListeningSockets() {}

  static boolean canBeTold() {
    return Files.isReadable(Path.of("/proc/net/tcp"));
  }

  /** Their local addresses, in the kernel's hexadecimal: {@code 0100007F:1F90}. */
  static List<String> of(ProcessHandle process) throws IOException {
    Set<String> inodes = new HashSet<>(inodes(process));
    for (ProcessHandle child : process.descendants().toList()) {
      inodes.addAll(inodes(child));
    }
    List<String> addresses = new ArrayList<>();
    for (String table : List.of("tcp", "tcp6")) {
      Path file = Path.of("/proc", Long.toString(process.pid()), "net", table);
      for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
        String[] fields = line.strip().split("\\s+", -1);
        if (fields[STATE].equals(LISTEN) && inodes.contains(fields[INODE])) {
          addresses.add(fields[LOCAL]);
        }
      }
    }
    return addresses;
  }

  /** Whether that is 127.0.0.0/8, also written as IPv6, or ::1. */
  static boolean isLoopback(String address) {
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
