<?php
/** Installs a WordPress, and writes the content that standard input holds as JSON. Prints the ids of its posts by their key. */
define('ABSPATH', getenv('WORDPRESS_DIR') . '/');
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = parse_url(getenv('WORDPRESS_HOME'), PHP_URL_HOST) . ':' . parse_url(getenv('WORDPRESS_HOME'), PHP_URL_PORT);
require ABSPATH . 'wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';

$content = json_decode(stream_get_contents(STDIN), true);
wp_install($content['name'], 'editor', 'editor@example.com', true, '', 'a password of the tests');
update_option('blogdescription', $content['tagline']);
update_option('permalink_structure', '/%year%/%monthnum%/%postname%/');
update_option('category_base', '');
if (wp_get_theme('twentytwentyone')->exists()) switch_theme('twentytwentyone');
foreach (get_posts(array('post_type' => 'any', 'numberposts' => -1)) as $sample) wp_delete_post($sample->ID, true);
// What WordPress lets an editor write.
wp_set_current_user(1);
remove_all_filters('wp_insert_post_data');
wp_defer_term_counting(true);
wp_suspend_cache_invalidation(true);

$terms = array();
foreach ($content['terms'] as $term) {
    $made = wp_insert_term($term['name'], $term['taxonomy'], array('slug' => $term['slug'], 'parent' => $terms[$term['parent'] ?? ''] ?? 0));
    if (is_wp_error($made)) throw new Exception($term['slug'] . ': ' . $made->get_error_message());
    $terms[$term['taxonomy'] . ' ' . $term['slug']] = $made['term_id'];
    $terms[$term['slug']] ??= $made['term_id'];
}
$users = array();
foreach ($content['users'] as $user)
    $users[$user['login']] = wp_insert_user(array(
        'user_login' => $user['login'], 'user_pass' => wp_generate_password(), 'display_name' => $user['name'],
        'description' => $user['description'], 'user_url' => $user['url'] ?? '', 'role' => 'author'));
$media = array();
foreach ($content['media'] as $file) {
    $path = "2026/01/{$file['name']}";
    $id = wp_insert_attachment(array('post_title' => $file['alt'], 'post_mime_type' => $file['type'], 'guid' => "http://wordpress.test/wp-content/uploads/$path"), $path);
    update_post_meta($id, '_wp_attachment_image_alt', $file['alt']);
    if (isset($file['width'])) wp_update_attachment_metadata($id, array('width' => $file['width'], 'height' => $file['height'], 'file' => $path, 'sizes' => array()));
    $media[$file['name']] = $id;
}
$ids = array();
function with_ids(string $content, array $media, array $ids): string {
    foreach ($media as $name => $id) $content = str_replace("{{$name}}", $id, $content);
    foreach ($ids as $key => $id) $content = str_replace("{post $key}", $id, $content);
    return $content;
}
foreach ($content['posts'] as $post) {
    $id = wp_insert_post(wp_slash(array(
        'post_title' => $post['title'], 'post_name' => $post['slug'] ?? '', 'post_content' => with_ids($post['content'], $media, $ids),
        'post_excerpt' => $post['excerpt'] ?? '', 'post_status' => $post['status'] ?? 'publish', 'post_password' => $post['password'] ?? '',
        'post_type' => $post['type'] ?? 'post', 'post_author' => $users[$post['author'] ?? ''] ?? 1, 'post_date_gmt' => $post['date'], 'post_date' => $post['date'],
        'post_category' => array_map(fn($slug) => $terms["category $slug"], $post['categories'] ?? array()),
        'tags_input' => array_map(fn($slug) => $terms["post_tag $slug"], $post['tags'] ?? array()))), true);
    if (is_wp_error($id)) throw new Exception($post['title'] . ': ' . $id->get_error_message());
    if (isset($post['picture'])) set_post_thumbnail($id, $media[$post['picture']]);
    if (isset($post['key'])) $ids[$post['key']] = $id;
}

// Thousands, as a database gets them from an import.
$many = $content['many'] ?? 0;
for ($from = 1; $from <= $many; $from += 500) {
    $rows = array();
    for ($n = $from; $n <= min($many, $from + 499); $n++) {
        $date = gmdate('Y-m-d H:i:s', strtotime('2024-01-01') - $n * 3600);
        $rows[] = $wpdb->prepare('(1,%s,%s,%s,%s,%s,%s,%s,"publish","post")', $date, $date, $date, $date, "<!-- wp:paragraph -->\n<p>Entry $n of the archive, which has a paragraph.</p>\n<!-- /wp:paragraph -->", "Entry $n of the archive", "entry-$n");
    }
    $wpdb->query("insert into $wpdb->posts (post_author,post_date,post_date_gmt,post_modified,post_modified_gmt,post_content,post_title,post_name,post_status,post_type) values " . implode(',', $rows));
}
if ($many) $wpdb->query("insert into $wpdb->term_relationships (object_id, term_taxonomy_id) select p.ID, tt.term_taxonomy_id from $wpdb->posts p join $wpdb->terms t on t.slug = if(p.ID % 2, 'news', 'podcasts') join $wpdb->term_taxonomy tt on tt.term_id = t.term_id and tt.taxonomy = 'category' where p.post_name like 'entry-%'");

wp_defer_term_counting(false);
foreach (array('category', 'post_tag') as $taxonomy)
    wp_update_term_count_now(get_terms(array('taxonomy' => $taxonomy, 'hide_empty' => false, 'fields' => 'tt_ids')), $taxonomy);
flush_rewrite_rules(false);
echo json_encode((object) $ids);
