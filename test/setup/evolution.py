"""Subscribes to a calendar with Evolution Data Server, as GNOME Calendar and Evolution do.

For each line of input it fetches the calendar again and prints the entries that it has then, as a line of JSON. It does
not wait for the end of the fetch.
"""

import json
import sys

import gi

gi.require_version("ECal", "2.0")
gi.require_version("EDataServer", "1.2")
from gi.repository import ECal, EDataServer, GLib  # noqa: E402

registry = EDataServer.SourceRegistry.new_sync(None)
subscription = EDataServer.Source.new_with_uid("subscription", None)
subscription.set_parent("webcal-stub")
subscription.get_extension(EDataServer.SOURCE_EXTENSION_CALENDAR).set_backend_name("webcal")
address = GLib.Uri.parse(sys.argv[1], GLib.UriFlags.NONE)
subscription.get_extension(EDataServer.SOURCE_EXTENSION_WEBDAV_BACKEND).set_uri(address)
registry.commit_source_sync(subscription, None)
source = registry.ref_source("subscription")
# It waits a second at most for the first fetch. Without waiting, the call never returns.
calendar = ECal.Client.connect_sync(source, ECal.ClientSourceType.EVENTS, 1, None)

for line in sys.stdin:
    calendar.refresh_sync(None)
    _, entries = calendar.get_object_list_sync("#t", None)
    print(json.dumps([entry.as_ical_string() for entry in entries]), flush=True)
