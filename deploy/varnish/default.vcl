# Varnish in front of the site, with CDN=varnish and CDN_PURGE_URL=http://<this Varnish>/ set there, and this machine in
# TRUST_PROXY. It needs varnish-modules (xkey), -p http_gzip_support=off (the site compresses, with brotli as well) and
# -p http_resp_hdr_len=17k (the tags of a page are one header of up to 16 kB; by default more than 8 kB is a 503).
vcl 4.1;

import directors;
import std;
import xkey;

# An instance is left out after two failed probes, and used again after two good ones: stop the next one only then.
backend default {
  .host = "127.0.0.1";
  .port = "3000";
  .connect_timeout = 2s;
  # The site responds within UPSTREAM_TIMEOUT_MS and ten seconds: what takes longer, hangs.
  .first_byte_timeout = 20s;
  .between_bytes_timeout = 10s;
  .probe = { .url = "/readyz"; .interval = 2s; .timeout = 1s; .threshold = 2; .window = 3; .initial = 2; }
}

# With two instances: another backend like the one above, and a line for it here. An address is asked of the same instance
# each time, for which it is warm, and of another one where that is not ready.
sub vcl_init {
  new site = directors.shard();
  site.add_backend(default);
  site.reconfigure();
}

# Where purges come from: the site's instances. Where TLS ends on this machine, have it speak the PROXY protocol to a
# listener of its own (-a 127.0.0.1:6086,PROXY): without it every reader's address is localhost, here and for the site.
# Purges go to one without (-a :6081).
acl purgers {
  "localhost";
}

sub vcl_recv {
  set req.backend_hint = site.backend(resolve=LAZY);
  if (req.restarts == 0) {
    unset req.http.X-Stale;
    unset req.http.X-Origin-Secret;
    # The site believes it from the addresses of TRUST_PROXY alone. What a reader has sent is dropped. Behind a balancer that
    # replaces it, without the PROXY protocol, leave this line out, and name the balancer in TRUST_PROXY as well.
    set req.http.X-Forwarded-For = client.ip;
  }
  # With ORIGIN_SECRET set: set req.http.X-Origin-Secret = "...";

  if (req.method == "PURGE") {
    if (client.ip !~ purgers) {
      return (synth(403));
    }
    if (req.http.xkey-purge-all) {
      ban("obj.status != 0");
      return (synth(200, "Purged everything"));
    }
    if (req.http.xkey-softpurge) {
      return (synth(200, "Purged softly: " + xkey.softpurge(req.http.xkey-softpurge)));
    }
    if (req.http.xkey-purge) {
      return (synth(200, "Purged: " + xkey.purge(req.http.xkey-purge)));
    }
    return (synth(400));
  }

  call set_key;
  if (req.method != "GET" && req.method != "HEAD") {
    return (pass);
  }
  if (req.url ~ "^/(healthz|readyz)(\?|$)") {
    return (pass);
  }

  unset req.http.Cookie;
  # Old addresses with a query, as a WordPress has: name the parameters that the rules of your redirects.txt have.
  if (req.url ~ "[?&](p|page_id|cat|tag|author|tribe_events)=") {
    return (pass);
  }

  # As many variants as there are bodies. What has a weight of 0 is not accepted (RFC 9110, 12.4.2).
  set req.http.Accept-Encoding = regsuball(req.http.Accept-Encoding, "(?i)[^,]*;\s*q=0(\.0*)?\s*(,|$)", "");
  if (req.http.Accept-Encoding ~ "(?i)(^|,)\s*br\s*(;|,|$)") {
    set req.http.Accept-Encoding = "br";
  } elseif (req.http.Accept-Encoding ~ "(?i)(^|,)\s*(x-)?gzip\s*(;|,|$)") {
    set req.http.Accept-Encoding = "gzip";
  } else {
    unset req.http.Accept-Encoding;
  }
  set req.http.Accept = regsuball(req.http.Accept, "(?i)[^,]*;\s*q=0(\.0*)?\s*(,|$)", "");
  if (req.url ~ "^/media/" && req.http.Accept ~ "(?i)image/avif") {
    set req.http.Accept = "image/avif";
  } elseif (req.url ~ "^/media/" && req.http.Accept ~ "(?i)image/webp") {
    set req.http.Accept = "image/webp";
  } elseif (req.url !~ "^/media/" && req.http.Accept ~ "text/html") {
    # Errors are HTML for browsers, JSON for programs.
    set req.http.Accept = "text/html";
  } else {
    set req.http.Accept = "*/*";
  }
  return (hash);
}

# The key: the path, and the query parameters that the site knows, in one order and once each. All others decide nothing, as
# campaigns' do; the site is asked with them, because a redirect keeps them.
sub set_key {
  set req.http.X-Query = "";
  if (req.url ~ "^[^?]*\?([^&]*&)*crop=") {
    set req.http.X-Query = req.http.X-Query + "&crop=" + regsub(req.url, "^[^?]*\?([^&]*&)*?crop=([^&]*).*$", "\2");
  }
  if (req.url ~ "^[^?]*\?([^&]*&)*page=") {
    set req.http.X-Query = req.http.X-Query + "&page=" + regsub(req.url, "^[^?]*\?([^&]*&)*?page=([^&]*).*$", "\2");
  }
  if (req.url ~ "^[^?]*\?([^&]*&)*sent=") {
    set req.http.X-Query = req.http.X-Query + "&sent=" + regsub(req.url, "^[^?]*\?([^&]*&)*?sent=([^&]*).*$", "\2");
  }
  if (req.url ~ "^[^?]*\?([^&]*&)*tab=") {
    set req.http.X-Query = req.http.X-Query + "&tab=" + regsub(req.url, "^[^?]*\?([^&]*&)*?tab=([^&]*).*$", "\2");
  }
  if (req.url ~ "^[^?]*\?([^&]*&)*term=") {
    set req.http.X-Query = req.http.X-Query + "&term=" + regsub(req.url, "^[^?]*\?([^&]*&)*?term=([^&]*).*$", "\2");
  }
  if (req.url ~ "^[^?]*\?([^&]*&)*width=") {
    set req.http.X-Query = req.http.X-Query + "&width=" + regsub(req.url, "^[^?]*\?([^&]*&)*?width=([^&]*).*$", "\2");
  }
  set req.http.X-Key = regsub(req.url, "\?.*$", "") + "?" + req.http.X-Query;
  unset req.http.X-Query;
}

# Not by host: the site responds the same to every name that leads to it. Add it where this Varnish serves other sites.
sub vcl_hash {
  hash_data(req.http.X-Key);
  return (lookup);
}

sub vcl_hit {
  # Fresh, stale while it is revalidated, or stale because the site is down or has just failed.
  if (obj.ttl >= 0s || req.http.X-Stale || !std.healthy(req.backend_hint)) {
    return (deliver);
  }
  if (obj.ttl + std.duration(obj.http.X-Stale-While-Revalidate, 0s) > 0s) {
    return (deliver);
  }
  # Older: the reader waits for a new one.
  set req.hash_always_miss = true;
  return (restart);
}

sub vcl_backend_fetch {
  set bereq.backend = site.backend(alt=bereq.retries);
}

sub vcl_backend_error {
  # An instance has stopped or died, and no probe has noticed yet: the next one is asked. Varnish itself sends no body twice,
  # so that a post goes there only where the connection was refused.
  if (bereq.retries == 0) {
    return (retry);
  }
  set beresp.http.Content-Type = "text/plain; charset=utf-8";
  set beresp.http.Cache-Control = "no-store";
  set beresp.http.Retry-After = "5";
  set beresp.body = "The site does not respond. Please try again in a few seconds.";
  return (deliver);
}

sub vcl_backend_response {
  if (beresp.status >= 500) {
    if (bereq.is_bgfetch) {
      return (abandon);
    }
    set beresp.uncacheable = true;
    set beresp.ttl = 0s;
    return (deliver);
  }
  if (beresp.http.CDN-Cache-Control !~ "max-age=") {
    # Not for ever a pass: the next response may be one to keep.
    set beresp.uncacheable = true;
    set beresp.ttl = 1s;
    return (deliver);
  }
  set beresp.ttl = std.duration(regsub(beresp.http.CDN-Cache-Control, ".*max-age=(\d+).*", "\1s"), 1s);
  set beresp.grace = 0s;
  set beresp.http.X-Stale-While-Revalidate = "0s";
  if (beresp.http.CDN-Cache-Control ~ "stale-while-revalidate=") {
    set beresp.http.X-Stale-While-Revalidate =
      regsub(beresp.http.CDN-Cache-Control, ".*stale-while-revalidate=(\d+).*", "\1s");
    set beresp.grace = std.duration(beresp.http.X-Stale-While-Revalidate, 0s);
  }
  if (beresp.http.CDN-Cache-Control ~ "stale-if-error=") {
    set beresp.grace = beresp.grace +
      std.duration(regsub(beresp.http.CDN-Cache-Control, ".*stale-if-error=(\d+).*", "\1s"), 0s);
  }
  # Revalidation with the ETag after that.
  set beresp.keep = 1h;
}

sub vcl_deliver {
  # A new one could not be had: what there is, past its time, is better.
  if (resp.status >= 500 && req.hash_always_miss && !req.http.X-Stale) {
    set req.hash_always_miss = false;
    set req.http.X-Stale = "1";
    return (restart);
  }
  unset resp.http.CDN-Cache-Control;
  unset resp.http.xkey;
  unset resp.http.X-Stale-While-Revalidate;
  unset resp.http.X-Varnish;
  unset resp.http.Via;
  if (obj.hits > 0) {
    # They are of the reader that the response was made for.
    set resp.http.X-Request-Id = "varnish-" + req.xid;
    set resp.http.Cache-Status = "varnish; hit";
  }
}

sub vcl_synth {
  # The site could not be reached, and nothing that it has ever sent is left; or a purge was done.
  if (resp.status >= 500 && req.hash_always_miss && !req.http.X-Stale) {
    set req.hash_always_miss = false;
    set req.http.X-Stale = "1";
    return (restart);
  }
  set resp.http.Content-Type = "text/plain; charset=utf-8";
  set resp.body = resp.reason;
  return (deliver);
}
