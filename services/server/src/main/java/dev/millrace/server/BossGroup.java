package dev.millrace.server;

import com.linecorp.armeria.common.Flags;
import com.linecorp.armeria.common.util.EventLoopGroups;
import com.linecorp.armeria.common.util.TransportType;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * The thread that accepts connections. It ends at once when it is told to: by itself it would wait
 * two seconds for more to do, and there is nothing to accept any more.
 */
final class BossGroup extends MultiThreadIoEventLoopGroup {
  private static final long MOST_SECONDS = 5;

  private BossGroup(String name, IoHandlerFactory handlers) {
    super(1, (ThreadFactory) task -> new Thread(task, name), handlers);
  }

  static EventLoopGroup of(String name) {
    TransportType transport = Flags.transportType();
    if (transport == TransportType.EPOLL) {
      return new BossGroup(name, EpollIoHandler.newFactory());
    }
    return transport == TransportType.NIO
        ? new BossGroup(name, NioIoHandler.newFactory())
        : EventLoopGroups.newEventLoopGroup(1, name);
  }

  @Override
  public Future<?> shutdownGracefully() {
    return shutdownGracefully(0, MOST_SECONDS, TimeUnit.SECONDS);
  }
}
